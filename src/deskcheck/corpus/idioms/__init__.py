"""The generated family `idioms`: functions composed at random from templates of code that people write."""
