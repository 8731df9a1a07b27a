"""Who may talk to the studio, from where, and what may be handed in."""
