"""The iterated rollouts of Yan, Diaconis, Rusmevichientong and Van Roy (2005)."""
