"""The server under load: three contestants, one load client, and what the processes cost."""
