"""Compiles fast Karma into the cache."""

from threefold.karma.fast import compile_all

if __name__ == "__main__":
    compile_all()
