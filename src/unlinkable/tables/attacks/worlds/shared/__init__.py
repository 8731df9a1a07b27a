"""Parts of attacks that weigh possible worlds."""
