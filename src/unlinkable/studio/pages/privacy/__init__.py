"""The page on what is promised."""
