"""The records: handing them in, how they are read, and what there is to see."""
