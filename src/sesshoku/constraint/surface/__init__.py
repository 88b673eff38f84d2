"""Motion of points on surfaces, by calls of inverse dynamics (paper 2)."""
