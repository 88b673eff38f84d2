"""The papers as they are printed: their own forms, models and experiments, beside what Sesshoku made of them."""
