"""The complete search: depth first through equivalence classes, and proofs."""
