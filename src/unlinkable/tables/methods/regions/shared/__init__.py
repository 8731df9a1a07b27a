"""Parts of methods that form regions."""
