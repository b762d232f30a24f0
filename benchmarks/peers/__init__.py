"""The contestants of `./run bench peers`, each a program of its own."""
