"""``python -m sesshoku`` is the command line."""

from sesshoku.cli import main

main()
