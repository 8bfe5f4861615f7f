"""What `lazy-call-library` knows of a kernel library: which call does what a lazy operation does, and how it sees its operands in memory."""
