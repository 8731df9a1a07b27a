"""How fast, beside the tools that others use. Run with ``make bench``."""
