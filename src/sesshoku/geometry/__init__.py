"""From poses to contacts: shapes, broad phase, narrow phase."""
