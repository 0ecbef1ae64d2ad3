"""A client of `deskcheck mcp`: the official SDK's own, over standard input and output."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any


def session(folder: Path, talk: Any, *options: str) -> Any:
    """Start the server in a folder, let `talk(call, names)` ask it, and return what it returns."""
    import anyio
    from mcp import ClientSession, StdioServerParameters, stdio_client

    async def run() -> Any:
        server = StdioServerParameters(
            command=sys.executable,
            args=["-m", "deskcheck", "mcp", *options],
            cwd=str(folder),
            env=dict(os.environ),  # otherwise the SDK passes a few variables alone
        )
        async with stdio_client(server) as (read, write), ClientSession(read, write) as client:
            await client.initialize()
            names = [tool.name for tool in (await client.list_tools()).tools]

            async def call(name: str, **arguments: object) -> str:
                result = await client.call_tool(name, arguments)
                return "\n".join(part.text for part in result.content)

            return await talk(call, names)

    return anyio.run(run)
