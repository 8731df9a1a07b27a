"""Parts of attacks on several releases."""
