"""Views: which tables may lie behind several selections and projections of one table."""
