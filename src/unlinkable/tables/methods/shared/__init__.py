"""Parts that methods of several families share."""
