"""The complete search: depth-first through equivalence classes of positions; it proves losses."""
