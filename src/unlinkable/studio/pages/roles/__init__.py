"""The pages on the columns of a project: their roles and taxonomies."""
