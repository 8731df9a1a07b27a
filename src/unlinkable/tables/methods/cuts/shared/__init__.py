"""Parts of methods that cut taxonomies."""
