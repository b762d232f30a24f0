"""CloseCode: why a table's socket is closed, as listed in docs/reference/live-protocol.md."""

from enum import IntEnum


class CloseCode(IntEnum):
    """Close codes that the server sends; those below 4000 are the websocket protocol's own."""

    FORBIDDEN = 1008
    """The page of another site, or too many attempts."""
    NOT_UTF8 = 1007
    FAILED = 1011
    """An error of the server, or a client that did not answer a ping."""
    RESTART = 1012
    """The server stops: the client should connect again at once, perhaps to another process."""
    TRY_LATER = 1013
    """The server cannot serve this client just now."""
    TABLE_CLOSED = 4000
    """The table ended the conversation; the last message was `bye`."""
    REFUSED = 4001
    """The hello was refused; the last message was `refused`."""
    FLOOD = 4008
