"""Small tools that know nothing of games: worker processes, checkpoint files, drawing."""
