"""The table on the network: HTTP and one socket. Only here is a web framework known."""
