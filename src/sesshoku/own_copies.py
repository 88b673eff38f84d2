"""Each compiled kernel keeps to its own copies of what it calls: so the same run gives the same bits in every process.

Numba copies all that a kernel calls into it and optimises it there once more, but leaves these copies open to be
replaced (linkonce_odr): the linker takes the first one it has met, which may differ in its last bits. Which one that is
depends on what else the process has compiled or loaded before.
"""

from __future__ import annotations

from typing import Any

from llvmlite import binding
from numba.core.codegen import JITCodeLibrary

__all__ = ["keep_own_copies"]


def keep_own_copies() -> None:
    """Let all code that holds kernels of ours, and is compiled from now on, call nothing but its own copies."""
    make_ready = JITCodeLibrary._finalize_final_module

    def make_ready_alone(library: Any) -> None:
        if library._shared_module is None:  # else it comes from the cache, closed
            _close(library)
        make_ready(library)

    JITCodeLibrary._finalize_final_module = make_ready_alone


def _close(library: Any) -> None:
    """Keep an open copy of a library's code, for kernels that will call it, and close the one that is to run."""
    code = library._final_module
    defined = [function for function in code.functions if not function.is_declaration]
    if not any("sesshoku" in function.name for function in defined):
        return
    library._shared_module = code.clone()
    for function in defined:
        if function.linkage == binding.Linkage.external:
            library._shared_module.get_function(function.name).linkage = binding.Linkage.linkonce_odr
        elif function.linkage == binding.Linkage.linkonce_odr:
            function.linkage = binding.Linkage.internal
