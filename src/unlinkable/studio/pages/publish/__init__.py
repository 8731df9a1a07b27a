"""The page on bundles and series."""
