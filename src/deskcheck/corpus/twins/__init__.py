"""Write generated Python programs a second time in another language: `statements.in_javascript(program)`."""
