"""Parts of record linkage."""
