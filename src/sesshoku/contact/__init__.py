"""The contact laws, by name."""

from typing import Final

__all__ = ["LAWS"]

LAWS: Final = {"none": "no contact forces: bodies pass through each other"}
