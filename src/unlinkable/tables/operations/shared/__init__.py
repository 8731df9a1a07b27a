"""What operations compute with."""
