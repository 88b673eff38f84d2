"""The one way to compile: `kernel`, a cached nopython function whose cache follows the sources.

Numba does not notice when a function in another file changes: it would go on running the old code. So the
cache lies in a folder named after a hash of all files that hold kernels; an edit of any starts a new one.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import sys
import tempfile
from collections.abc import Callable
from functools import cache, cached_property, update_wrapper
from pathlib import Path
from threading import RLock
from typing import Any, Final, TypeVar

import numba
import numpy as np
from llvmlite import ir
from numba import types
from numba.core import event
from numba.extending import intrinsic

from sesshoku.library import PartCompiler, keep_code_here

__all__ = ["OPTIONS", "U", "address_of", "by_pointer", "cache_folder", "entry_point", "kernel"]

Function = TypeVar("Function", bound=Callable[..., Any])
U = np.uintp  # of an index: it is never negative, which Numba else tests each time; so loops run on whole vectors

# Fused multiply-add, but never the full set of fast-math flags: NaN and infinity must stay visible. No
# "reassoc": it makes long chains of sums out of short parallel ones (the articulated-body step 4 % slower),
# and breaks exact splits.
OPTIONS: Final = {"error_model": "numpy", "fastmath": {"contract", "nsz", "arcp"}}
_NJIT: Final = {"no_cfunc_wrapper": True, **OPTIONS}
EDGES: Final = {"viewer", "envs", "bench", "cli"}  # folders without kernels, and which no kernel looks into
KEPT: Final = 4  # cache folders of other versions of the sources that are not swept away


class Kernel:
    """A function that is compiled at its first call: called by another kernel as part of it, by Python as a whole.

    Attributes:
        py_func: the function as it was written.
        whole: what Python calls.
    """

    def __init__(self, function: Callable[..., Any]) -> None:
        update_wrapper(self, function)
        self.py_func = function
        part = numba.njit(cache=True, pipeline_class=PartCompiler, no_cpython_wrapper=True, **_NJIT)
        self._part = _cached(part, function, _FOLDER / "parts")

    @cached_property
    def whole(self) -> Any:
        """The function by itself; most are never called by Python, and importing the package takes less time so."""
        return _cached(numba.njit(cache=True, **_NJIT), self.py_func, _FOLDER)

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        """Call it from Python."""
        return self.whole(*arguments, **named)

    def __reduce__(self) -> str:
        """By name, as functions are."""
        return self.__qualname__  # type: ignore[attr-defined, no-any-return]

    @property
    def _numba_type_(self) -> Any:
        """What Numba takes it for where a kernel calls it."""
        return self._part._numba_type_


def kernel(function: Function) -> Function:
    """Compile a function at its first call, in nopython mode, and keep the result on disk."""
    return Kernel(function)  # type: ignore[return-value]


def _cached(compiler: Callable[..., Any], function: Callable[..., Any], folder: Path) -> Any:
    """What a decorator of Numba makes of a function, with its cache in a folder."""
    with _CHOOSING:
        before = numba.config.CACHE_DIR
        numba.config.CACHE_DIR = str(folder)  # read when the function is decorated, and only then
        try:
            return compiler(function)
        finally:
            numba.config.CACHE_DIR = before


def entry_point(function: Callable[..., Any], *types: Any) -> Callable[..., Any]:
    """A kernel compiled for these types as a bare function: spares Numba's choice by type (0.14 µs)."""
    compiled: Callable[..., Any] = function.whole.compile(types)  # type: ignore[attr-defined]
    return compiled


@cache
def address_of(function: Callable[..., Any], *arguments: Any) -> int:
    """Where a kernel that returns nothing lies in memory, compiled for arguments of these types, see `by_pointer`."""
    compiled = _cached(numba.cfunc(types.void(*arguments), cache=True, **OPTIONS), function.py_func, _FOLDER)  # type: ignore[attr-defined]
    _POINTED_AT.append(compiled)
    return int(compiled.address)


def by_pointer(*arguments: Any) -> Any:
    """The compiled function that calls what lies at an address, see `address_of`, with arguments of these types.

    Numba copies all that a kernel calls into it and optimises it there once more, at each level of calls: for a
    kernel that calls one of many large ones that takes minutes, and is spent on those never called, too.
    """

    @intrinsic  # type: ignore[untyped-decorator]
    def call(typing_context: Any, address: Any, given: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
            kinds = [context.get_value_type(kind) for kind in arguments]
            function = builder.inttoptr(values[0], ir.FunctionType(ir.VoidType(), kinds).as_pointer())
            builder.call(function, [builder.extract_value(values[1], k) for k in range(len(kinds))])
            return context.get_dummy_value()

        return types.void(types.int64, types.Tuple(arguments)), generate

    return call


def cache_folder() -> Path:
    """Where the compiled kernels of these sources lie."""
    return _FOLDER


def _source_hash() -> str:
    """Of all files but the edges of the package: kernels freeze constants of files without kernels, too."""
    package = Path(__file__).parent
    digest = hashlib.sha256()
    for path in sorted(package.rglob("*.py")):
        name = path.relative_to(package)
        if name.parts[0] not in EDGES:
            digest.update(name.as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()[:16]


def _choose_folder() -> Path:
    """Below SESSHOKU_CACHE, NUMBA_CACHE_DIR or the user's cache; the temporary folder if that fails."""
    home = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    base = Path(os.environ.get("SESSHOKU_CACHE") or numba.config.CACHE_DIR or home) / "sesshoku"
    try:
        base.mkdir(parents=True, exist_ok=True)
        if not os.access(base, os.W_OK):
            raise PermissionError(base)
    except OSError:
        base = Path(tempfile.gettempdir()) / f"sesshoku-{os.getuid() if hasattr(os, 'getuid') else 'cache'}"
        base.mkdir(parents=True, exist_ok=True)
    folder = base / _source_hash()
    if not folder.exists():
        folder.mkdir(exist_ok=True)
        others = sorted(set(base.iterdir()) - {folder}, key=_age)
        for old in others[:-KEPT]:
            shutil.rmtree(old, ignore_errors=True)
    return folder


def _age(path: Path) -> float:
    """When a folder was changed last; another process may be sweeping, too."""
    try:
        return path.stat().st_mtime
    except OSError:
        return 0.0


_FOLDER: Final = _choose_folder()
_CHOOSING: Final = RLock()  # a folder for the cache of a function; cfunc compiles others meanwhile
_POINTED_AT: Final[list[Any]] = []  # keeps in memory what has been compiled


class _Notice(event.Listener):  # type: ignore[misc]
    """Says once, on stderr, that kernels are being compiled."""

    said = False

    def on_start(self, what: event.Event) -> None:
        """Tell whether the compilation that begins is one of ours."""
        dispatcher = what.data.get("dispatcher")
        module = getattr(getattr(dispatcher, "py_func", None), "__module__", None)
        if not _Notice.said and (module or "").startswith("sesshoku"):  # a function made by exec has none
            _Notice.said = True
            sentence = "sesshoku: compiling kernels, once; this takes about a minute"
            print(sentence, file=sys.stderr, flush=True)

    def on_end(self, what: event.Event) -> None:
        """Nothing to say."""


keep_code_here()
event.register("numba:compile", _Notice())
