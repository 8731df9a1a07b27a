"""Publishing: what the page on publishing is made of."""
