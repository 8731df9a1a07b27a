"""Parts of attacks on groups."""
