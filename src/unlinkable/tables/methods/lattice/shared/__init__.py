"""Parts of methods that search a lattice of levels."""
