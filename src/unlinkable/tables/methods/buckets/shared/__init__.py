"""Parts of methods that form buckets."""
