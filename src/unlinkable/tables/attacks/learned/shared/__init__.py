"""Parts of attacks that learn from a release."""
