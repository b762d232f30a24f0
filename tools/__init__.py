"""Programs of developers; `run` and `./run release` use them. Not part of the package."""
