"""The heart: a job, its populations, the loop of generations, and the parts that it runs."""
