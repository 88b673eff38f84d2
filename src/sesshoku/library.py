"""How Numba keeps the code of kernels: parts of others are not made ready to run, what runs has its own copies of them.

Numba would optimise every function that a kernel calls and turn it into machine code, only to copy it into the kernel
and optimise it there once more. Parts are hardly optimised; what is compiled as a whole is so together with its parts.

Numba also leaves copies open to be replaced (linkonce_odr): the linker takes the first one it has met, which may differ
in its last bits, by what else the process has compiled or loaded before. Here each whole keeps to its own copies: the
same run gives the same bits in every process.
"""

from __future__ import annotations

from typing import Any, Final

from llvmlite import binding
from numba.core.codegen import JITCodeLibrary, JITCPUCodegen
from numba.core.compiler import Compiler
from numba.core.environment import lookup_environment

__all__ = ["PartCompiler", "keep_code_here"]

PART: Final = "part"  # how the code of one is kept in the cache


class Library(JITCodeLibrary):  # type: ignore[misc]
    """The code of one function, with all that it calls.

    Attributes:
        part: whether it only ever becomes part of others.
    """

    part = False

    def _optimize_final_module(self) -> None:
        if not self.part:
            super()._optimize_final_module()

    def _finalize_final_module(self) -> None:
        if self.part:
            self._finalize_dynamic_globals()
            self._finalized = True
            return
        if self._shared_module is None:  # else it comes from the cache, closed
            self._close()
        super()._finalize_final_module()
        self._tell_parts()

    def _tell_parts(self) -> None:
        """Tell all that has become part of it where their constants are: those of messages, for example."""
        for variable in self._final_module.global_variables:
            environment = lookup_environment(variable.name)
            if environment is not None:
                self.codegen.set_env(variable.name, environment)

    def _close(self) -> None:
        """Keep an open copy of the code, by which the cache knows what is in it, and close the one that is to run."""
        code = self._final_module
        defined = [function for function in code.functions if not function.is_declaration]
        if not any("sesshoku" in function.name for function in defined):
            return
        self._shared_module = code.clone()
        for function in defined:
            if function.linkage == binding.Linkage.external:
                self._shared_module.get_function(function.name).linkage = binding.Linkage.linkonce_odr
            elif function.linkage == binding.Linkage.linkonce_odr:
                function.linkage = binding.Linkage.internal

    @property
    def codegen(self) -> Any:
        """What it has been made ready to run in; for a part, which is nowhere, itself."""
        return self if self.part else super().codegen

    def set_env(self, name: str, environment: Any) -> None:
        """Nothing: whoever it becomes part of does this."""

    def get_pointer_to_function(self, name: str) -> int:
        """Where a function lies in memory; parts lie nowhere."""
        return 0 if self.part else super().get_pointer_to_function(name)

    def serialize_using_object_code(self) -> tuple[str, str, Any]:
        """What the cache keeps."""
        if self.part:
            return self.name, PART, self._final_module.as_bitcode()
        return super().serialize_using_object_code()  # type: ignore[no-any-return]

    @classmethod
    def _unserialize(cls, codegen: Any, state: tuple[str, str, Any]) -> Any:
        name, kind, data = state
        if kind != PART:
            return super()._unserialize(codegen, state)
        library = codegen.create_library(name)
        library.part = True
        library._final_module = binding.parse_bitcode(data)
        library._finalize_final_module()
        return library


class PartCompiler(Compiler):  # type: ignore[misc]
    """Compiles a function as part of others."""

    def define_pipelines(self) -> Any:
        """The steps of Numba's own compiler, for a library that is a part."""
        state = self.state
        state.library = state.targetctx.codegen().create_library(state.func_id.func_qualname)
        state.library.enable_object_caching()
        state.library.part = True
        return super().define_pipelines()


def keep_code_here() -> None:
    """Let Numba keep all code that is compiled or loaded from now on in libraries of this kind."""
    JITCPUCodegen._library_class = Library
