"""Tables: everything about data in records and columns."""
