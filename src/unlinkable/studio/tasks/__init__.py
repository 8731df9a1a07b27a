"""What worker processes can be asked to do, one subject per file."""
