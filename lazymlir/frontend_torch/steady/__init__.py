"""A promise of sameness (LazyTensor paper, future work): functions that are recorded three times and then replayed."""
