"""What every column is: its role, and how much it matters."""
