"""Six numbers as one value in the vector registers of the processor: a line of a block between two bodies.

Numba compiles loops over six numbers one number at a time. With these a product of two 6x6 blocks takes 24 ns, and not
66 with its numbers in registers of their own.
"""

from __future__ import annotations

from typing import Any, Final

from llvmlite import ir
from numba import types
from numba.core.datamodel import models
from numba.core.errors import TypingError
from numba.extending import intrinsic, register_model

__all__ = ["Six", "load6", "plus6", "scale6", "store6"]

LINE: Final = ir.VectorType(ir.DoubleType(), 6)
FUSED: Final = ("contract", "nsz")
ALIGNMENT: Final = 8  # bytes: a line may begin at any number


class Six(types.Type):  # type: ignore[misc]
    """The type of such a value, to Numba."""

    def __init__(self) -> None:
        super().__init__(name="Six")


SIX: Final = Six()


@register_model(Six)
class _Model(models.PrimitiveModel):  # type: ignore[misc]
    def __init__(self, manager: Any, kind: Any) -> None:
        super().__init__(manager, kind, LINE)


def _check(array: Any) -> None:
    """Refuse at compile time what is not a contiguous array of doubles: its numbers would be taken for others."""
    if not (isinstance(array, types.Array) and array.dtype == types.float64 and array.layout == "C"):
        raise TypingError(f"six numbers lie in a contiguous array of doubles, not in {array}")


def _pointer(context: Any, builder: Any, array_type: Any, array: Any, at: Any) -> Any:
    """Where a line lies that begins at the number ``at`` of an array."""
    data = context.make_array(array_type)(context, builder, array).data
    return builder.bitcast(builder.gep(data, [at]), LINE.as_pointer())


def _broadcast(builder: Any, x: Any) -> Any:
    """Six times the same number."""
    nothing, first = ir.Constant(LINE, ir.Undefined), ir.Constant(ir.IntType(32), 0)
    every = ir.Constant(ir.VectorType(ir.IntType(32), 6), [0] * 6)
    return builder.shuffle_vector(builder.insert_element(nothing, x, first), nothing, every)


@intrinsic  # type: ignore[untyped-decorator]
def load6(typing_context: Any, array: Any, at: Any) -> Any:
    """Six numbers of an array of doubles, from ``at`` on, counted as they lie in memory; nobody checks bounds."""
    _check(array)

    def generate(context: Any, builder: Any, signature: Any, given: Any) -> Any:
        return builder.load(_pointer(context, builder, signature.args[0], *given), align=ALIGNMENT)

    return SIX(array, types.uintp), generate


@intrinsic  # type: ignore[untyped-decorator]
def store6(typing_context: Any, array: Any, at: Any, line: Any) -> Any:
    """Put six numbers into such an array, from ``at`` on."""
    _check(array)

    def generate(context: Any, builder: Any, signature: Any, given: Any) -> Any:
        builder.store(given[2], _pointer(context, builder, signature.args[0], *given[:2]), align=ALIGNMENT)
        return context.get_dummy_value()

    return types.void(array, types.uintp, SIX), generate


@intrinsic  # type: ignore[untyped-decorator]
def scale6(typing_context: Any, share: Any, line: Any) -> Any:
    """A number times a line."""

    def generate(context: Any, builder: Any, signature: Any, given: Any) -> Any:
        return builder.fmul(_broadcast(builder, given[0]), given[1], flags=FUSED)

    return SIX(types.float64, SIX), generate


@intrinsic  # type: ignore[untyped-decorator]
def plus6(typing_context: Any, line: Any, share: Any, other: Any) -> Any:
    """A line and a number times another."""

    def generate(context: Any, builder: Any, signature: Any, given: Any) -> Any:
        product = builder.fmul(_broadcast(builder, given[1]), given[2], flags=FUSED)
        return builder.fadd(given[0], product, flags=FUSED)

    return SIX(SIX, types.float64, SIX), generate
