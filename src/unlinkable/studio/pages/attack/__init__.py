"""The page on attacks."""
