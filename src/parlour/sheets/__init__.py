"""The rule sheets as data: clauses, readings and options."""
