"""What metrics compute with."""
