"""Triangles of STL files, binary and text."""

from __future__ import annotations

import re

import numpy as np
from numpy.typing import NDArray

__all__ = ["read_stl"]

HEADER = 84  # bytes before the triangles: 80 of any text, 4 of their number
RECORD = np.dtype([("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("attribute", "<u2")])
VERTEX = re.compile(rb"\bvertex\s+(\S+\s+\S+\s+\S+)")


def read_stl(data: bytes) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Vertices (k, 3), each once, and triangles (m, 3) of an STL file; raises ValueError if it is broken."""
    corners = _text(data) if _is_text(data) else _binary(data)
    return _merged(corners)


def _is_text(data: bytes) -> bool:
    """Many binary files begin with "solid", too: their length says what they are, or else their first words."""
    if not data.lstrip().startswith(b"solid") or len(data) == HEADER + RECORD.itemsize * _stated(data):
        return False
    return VERTEX.search(data, 0, 10_000) is not None


def _stated(data: bytes) -> int:
    return int.from_bytes(data[80:HEADER], "little")


def _binary(data: bytes) -> NDArray[np.float64]:
    count, there = _stated(data), max(len(data) - HEADER, 0) // RECORD.itemsize
    if len(data) < HEADER or there < count:
        raise ValueError(f"it ends after {there} triangles" + (f" of {count}" if count else ""))
    records = np.frombuffer(data, RECORD, count, HEADER)
    return records["corners"].reshape(-1, 3).astype(float)


def _text(data: bytes) -> NDArray[np.float64]:
    _, _, body = data.partition(b"\n")  # the name of the solid may be any words
    corners = np.array(b" ".join(VERTEX.findall(body)).split(), dtype=float).reshape(-1, 3)
    if len(corners) % 3:
        raise ValueError("its last triangle is incomplete")
    return corners


def _merged(corners: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Give corners at the same place one number; faster than `numpy.unique` along an axis."""
    order = np.lexsort(corners.T)
    ordered = corners[order]
    new = np.ones(len(corners), dtype=bool)
    new[1:] = (ordered[1:] != ordered[:-1]).any(axis=1)
    number = np.empty(len(corners), dtype=np.int64)
    number[order] = np.cumsum(new) - 1
    return ordered[new], number.reshape(-1, 3)
