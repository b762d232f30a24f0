"""The parts that a game's own simulation is made of. They know no game; `simulation` runs what is made of them."""
