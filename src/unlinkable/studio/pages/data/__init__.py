"""The page on the data of a project."""
