"""Parts of the minimality attack."""
