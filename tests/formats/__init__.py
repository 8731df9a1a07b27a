"""What earlier versions wrote: it opens and verifies for ever."""
