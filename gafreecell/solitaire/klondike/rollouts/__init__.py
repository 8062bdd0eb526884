"""The multistage nested rollouts of Bjarnason, Tadepalli and Fern (2007), on K+."""
