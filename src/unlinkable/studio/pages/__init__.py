"""The pages that people see, one step of the work per file."""
