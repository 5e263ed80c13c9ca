"""The commands of the command line, one a file, over typer and rich."""
