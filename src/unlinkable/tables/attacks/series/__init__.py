"""Series: what several releases of the same people tell together."""
