"""What attacks of several families share."""
