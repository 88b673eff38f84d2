"""Contacts of smooth shapes: spheres, capsules, ellipsoids and cylinders, with each other and with flat ones."""
