"""What measures of risk compute with."""
