"""Parts of methods that replace values."""
