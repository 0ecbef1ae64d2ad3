"""The family `idioms`: functions composed at random of the parts that people write."""
