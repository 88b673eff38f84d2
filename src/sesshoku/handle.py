"""Many arrays behind one address, so that a call from Python passes one number.

Forty arrays as arguments cost more than the physics; their address costs 0.2 µs. At it lies a table with a row for
each array: where its data begin, then its extents. The arrays that kernels see own nothing, so that nobody counts
references, which takes longer than the work of a small kernel; and rows never change, so that they are loaded once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numba import types
from numba.core.typing.templates import AttributeTemplate
from numba.extending import infer_getattr, intrinsic, lower_getattr_generic, models, register_model
from numba.np.arrayobj import make_array, populate_array

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

__all__ = ["Arrays", "HandleType", "array_type", "by_address", "fields_of", "table_of", "zeros"]

WORDS: Final = 4  # of a row: address, three extents


class HandleType(types.Type):  # type: ignore[misc]
    """Numba's type of the address of a table, with the names and types of its arrays."""

    def __init__(self, name: str, fields: tuple[tuple[str, Any], ...]) -> None:
        self.fields = {field: (row, kind) for row, (field, kind) in enumerate(fields)}
        super().__init__(name)


register_model(HandleType)(models.OpaqueModel)


def array_type(integer: bool, dimensions: int) -> Any:
    """Numba's type of a contiguous array of 64-bit integers or floats."""
    return types.Array(types.int64 if integer else types.float64, dimensions, "C")


def fields_of(shapes: Mapping[str, tuple[int | str, ...]]) -> tuple[tuple[str, Any], ...]:
    """Names and types of arrays that are described by their shapes; names of those of integers end with a star."""
    return tuple((name.rstrip("*"), array_type(name.endswith("*"), len(shape))) for name, shape in shapes.items())


def zeros(shapes: Mapping[str, tuple[int | str, ...]], counts: Mapping[str, int]) -> dict[str, NDArray[Any]]:
    """These arrays, filled with zeros; counts are what the words in their shapes stand for."""
    return {
        name.rstrip("*"): np.zeros(
            tuple(size if isinstance(size, int) else counts[size] for size in shape),
            dtype=np.int64 if name.endswith("*") else np.float64,
        )
        for name, shape in shapes.items()
    }


def table_of(fields: tuple[tuple[str, Any], ...], arrays: Mapping[str, NDArray[Any]]) -> NDArray[np.int64]:
    """The table of these arrays, which must outlive its use."""
    table = np.zeros((len(fields), WORDS), dtype=np.int64)
    for row, (name, kind) in enumerate(fields):
        array = arrays[name]
        if (str(array.dtype), array.ndim, array.flags.c_contiguous) != (str(kind.dtype), kind.ndim, True):
            raise TypeError(f"'{name}' is a {array.ndim}-dimensional array of {array.dtype}, not {kind}")
        table[row, : 1 + array.ndim] = array.ctypes.data, *array.shape
    return table


class Arrays:
    """Arrays that kernels see by an address; they are attributes, by their names.

    Attributes:
        arrays: by name.
        address: of their table.
    """

    def __init__(self, fields: tuple[tuple[str, Any], ...], arrays: dict[str, NDArray[Any]]) -> None:
        self.arrays = arrays
        self._table = table_of(fields, arrays)
        self.address = self._table.ctypes.data

    def __getattr__(self, name: str) -> NDArray[Any]:
        try:
            return self.__dict__["arrays"][name]  # type: ignore[no-any-return]
        except KeyError:
            raise AttributeError(name) from None


def by_address(handle: HandleType) -> Any:
    """The compiled function that takes the address of a table for a handle of this type."""

    @intrinsic  # type: ignore[untyped-decorator]
    def at(typing_context: Any, address: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            return builder.inttoptr(arguments[0], context.get_value_type(handle))

        return handle(types.int64), generate

    return at


@infer_getattr
class _Attribute(AttributeTemplate):  # type: ignore[misc]
    """Which array an attribute of a handle is."""

    key = HandleType

    def generic_resolve(self, handle: HandleType, name: str) -> Any:
        return handle.fields[name][1] if name in handle.fields else None


@lower_getattr_generic(HandleType)  # type: ignore[untyped-decorator]
def _load(context: Any, builder: Any, handle: HandleType, pointer: Any, name: str) -> Any:
    """Read the row of an array."""
    row, kind = handle.fields[name]
    word = context.get_value_type(types.int64)
    table = builder.bitcast(pointer, word.as_pointer())

    def load(column: int) -> Any:
        value = builder.load(builder.gep(table, [word(WORDS * row + column)]))
        value.set_metadata("invariant.load", builder.module.add_metadata([]))
        return value

    array = make_array(kind)(context, builder)
    shape = [load(1 + k) for k in range(kind.ndim)]
    itemsize = context.get_abi_sizeof(context.get_data_type(kind.dtype))
    strides = [word(itemsize)]
    for extent in reversed(shape[1:]):
        strides.insert(0, builder.mul(extent, strides[0]))
    data = builder.inttoptr(load(0), array.data.type)
    populate_array(array, data=data, shape=shape, strides=strides, itemsize=itemsize, meminfo=None)
    return array._getvalue()
