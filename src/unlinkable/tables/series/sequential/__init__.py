"""sequential: the next release has other columns, and is joined with all earlier ones."""
