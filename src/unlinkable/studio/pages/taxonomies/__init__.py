"""The taxonomy of one column: how it is built, its tree, and what every level would publish."""
