"""Offer the debugger's tools for agents as a server of the Model Context Protocol, on stdin and stdout.

serve(Tools(..))     until the client closes the connection

The protocol's SDK moves its streams to other file descriptors, so a traced program can neither read nor write
them.
"""

from __future__ import annotations

from functools import wraps
from typing import Any

from deskcheck.errors import DeskcheckError, MissingExtra
from deskcheck.queries.tools import Tools

NAMES = ("record", "steps", "state_at", "ask", "diff", "failing_test", "more")
_ABOUT = (
    "A debugger that records every step of a Python call and answers questions about the recorded run. "
    "Begin with record, or with failing_test for a call with a wrong result. Answers are short; a longer one "
    "ends with a cursor for more."
)


def serve(tools: Tools) -> None:
    """Serve the tools until the client leaves. MissingExtra if the official SDK is not installed."""
    try:
        from mcp.server.mcpserver import MCPServer
    except ModuleNotFoundError as error:
        raise MissingExtra(error.name or "mcp", "mcp", "deskcheck mcp") from None

    server = MCPServer("deskcheck", instructions=_ABOUT)
    for name in NAMES:
        server.tool(name=name, structured_output=False)(_answering(getattr(tools, name)))
    server.run("stdio")


def _answering(tool: Any) -> Any:
    """Return the tool with our errors as its answer: a sentence that says what to do next.

    The function is asynchronous because the SDK runs other functions in a thread, and a trusted program needs
    the main thread.
    """

    @wraps(tool)
    async def answer(*args: Any, **kwargs: Any) -> str:
        try:
            text: str = tool(*args, **kwargs)
        except DeskcheckError as error:
            return f"error: {str(error)[:600]}"
        return text

    return answer
