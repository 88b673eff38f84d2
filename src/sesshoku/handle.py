"""Many arrays behind one address, so that a call from Python passes one number.

Forty arrays as arguments cost more than the physics; a structref costs 0.9 µs per call, its address 0.2 µs.
"""

from __future__ import annotations

from typing import Any

from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

__all__ = ["HandleType", "array_type", "by_address"]


class HandleType(types.StructRef):  # type: ignore[misc]
    """Base of Numba's types of handles: a struct of arrays."""

    def preprocess_fields(self, fields: Any) -> Any:
        """Literal types are of no use here."""
        return tuple((name, types.unliteral(kind)) for name, kind in fields)


def array_type(integer: bool, dimensions: int) -> Any:
    """Numba's type of a contiguous array of 64-bit integers or floats."""
    return types.Array(types.int64 if integer else types.float64, dimensions, "C")


def by_address(handle: Any) -> tuple[Any, Any]:
    """Two compiled functions for a type of handle: the handle at an address, and the address of a handle.

    Whoever holds the address must keep the handle alive.
    """

    @intrinsic  # type: ignore[untyped-decorator]
    def at(typing_context: Any, address: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            proxy = cgutils.create_struct_proxy(handle)(context, builder)
            proxy.meminfo = builder.inttoptr(arguments[0], proxy.meminfo.type)
            context.nrt.incref(builder, handle, proxy._getvalue())
            return proxy._getvalue()

        return handle(types.int64), generate

    @intrinsic  # type: ignore[untyped-decorator]
    def address_of(typing_context: Any, owner: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            proxy = cgutils.create_struct_proxy(handle)(context, builder, value=arguments[0])
            return builder.ptrtoint(proxy.meminfo, context.get_value_type(types.int64))

        return types.int64(handle), generate

    return at, address_of
