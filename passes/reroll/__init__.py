"""What `lazy-reroll-loops` is made of: the sequence of operations, repeats in it, proofs, costs and the rewriting."""
