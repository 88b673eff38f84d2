"""Arrays behind an address: what kernels read and write are the arrays of Python."""

import numpy as np
import pytest

from sesshoku.handle import HandleType, array_type, by_address, table_of
from sesshoku.kernel import kernel

FIELDS = (("number", array_type(True, 1)), ("matrix", array_type(False, 2)))
at = by_address(HandleType("Pair", FIELDS))


@kernel
def move(address):
    h = at(address)
    for i in range(h.matrix.shape[0]):
        for j in range(h.matrix.shape[1]):
            h.matrix[i, j] += h.number[i]
    return h.matrix.sum()


def test_kernels_see_the_arrays():
    arrays = {"number": np.array([10, 20]), "matrix": np.arange(6.0).reshape(2, 3)}
    table = table_of(FIELDS, arrays)
    assert move(table.ctypes.data) == 15 + 30 + 60
    assert (arrays["matrix"] == [[10, 11, 12], [23, 24, 25]]).all()


@pytest.mark.parametrize("wrong", [np.zeros((2, 3), dtype=np.float32), np.zeros(2), np.zeros((3, 2)).T])
def test_other_arrays_are_refused(wrong):
    with pytest.raises(TypeError, match="matrix"):
        table_of(FIELDS, {"number": np.array([10, 20]), "matrix": wrong})
