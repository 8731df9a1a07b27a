"""Parts of methods with differential privacy."""
