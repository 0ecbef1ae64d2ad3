"""Fine-tuning of causal language models with TRL: settings, examples, run, card and upload (see `tuning`)."""
