"""Fine-tuning of a causal language model by TRL: settings, examples, run, card and upload; see `tuning`."""
