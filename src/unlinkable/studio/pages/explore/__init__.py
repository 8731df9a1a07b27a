"""The page on methods and their results."""
