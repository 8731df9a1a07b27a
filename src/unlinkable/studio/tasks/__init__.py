"""What worker processes can be asked to do, one theme per file."""
