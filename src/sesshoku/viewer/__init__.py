"""Pictures of what is simulated."""
