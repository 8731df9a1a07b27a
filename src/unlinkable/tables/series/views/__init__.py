"""Multiple views: projections and selections of one table for different recipients."""
