"""Whether a request keeps a box offline: its endpoint is to fetch, search and run nothing for it.

Allow-lists throughout, of parameters, tools, messages and parts. What a model is told and what it
has answered, texts and the arguments of tools, is never looked into. A key whose value is null
counts as absent, as clients write their defaults so.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from pae_harness.broker.parameters import PARAMETERS
from pae_harness.broker.upstream import CHAT

_DEEPEST = 6  # parts within parts
_FETCHES = "the endpoint would fetch it for a box that is offline"
_INLINE = re.compile(r"[A-Za-z0-9+/=_\s-]*")  # base64

_ROLES = {"system", "developer", "user", "assistant", "tool", "function"}
_MESSAGE = {
    *("role", "content", "name", "tool_calls", "tool_call_id", "function_call", "refusal"),
    *("annotations", "cache_control", "prefix", "partial", "reasoning", "reasoning_content"),
    *("reasoning_details", "reasoning_items", "thinking", "thinking_blocks"),
    *("provider_specific_fields", "extra_content", "output_config"),
    *("id", "type", "status", "timestamp"),
}
_CALLS = {None, "function", "custom"}
# What runs a tool of these types is the box: versions have a date.
_IN_THE_BOX = re.compile(r"custom|(bash|text_editor|computer|computer_toolset|memory)_\d{8}")
# Runs at the endpoint, and looks through the request's own tools.
_SEARCH = re.compile(r"tool_search_tool_(bm25|regex)(_\d{8})?")
_CHAT_TOOL = {"type", "function", "custom", "cache_control", "strict", "defer_loading"}
_MESSAGES_TOOL = {
    *("type", "name", "description", "input_schema", "input_examples", "cache_control", "strict"),
    *("defer_loading", "allowed_callers", "eager_input_streaming", "max_characters", "configs"),
    *("display_width_px", "display_height_px", "display_number", "enable_zoom"),
}
_CHOICES = {"auto", "any", "none", "required", "tool", "function", "custom", "allowed_tools"}

_ADDRESSES = ("image_url", "video_url", "audio_url")
_KINDS = {
    *("text", "input_text", "output_text", "refusal", "thinking", "redacted_thinking"),
    *("reasoning", "compaction", "image_url", "input_image", "video_url", "audio_url"),
    *("input_audio", "file", "image", "document", "search_result", "tool_use", "tool_result"),
    *("tool_reference", "tool_addition", "tool_removal", "server_tool_use"),
    *("tool_search_tool_result", "tool_search_tool_search_result"),
    "tool_search_tool_result_error",
}
_PART = {
    *("type", "text", "refusal", "thinking", "signature", "data", "reasoning", "summary"),
    *("cache_control", "prompt_cache_breakpoint", "citations", "detail", "transformations"),
    *("id", "name", "input", "caller", "tool_use_id", "tool_name", "is_error", "content"),
    *("tool", "tool_references", "error_code", "error_message", "encrypted_content"),
    *("title", "context", "source", "input_audio", "file", *_ADDRESSES),
}
_SCHEMAS = (
    *("tools", "functions", "response_format", "output_config", "output_format", "format"),
    *("structured_outputs", "guided_json", "json_schema", "structural_tag"),
)


def refused(path: str, request: Mapping[str, Any]) -> str:
    """Why ``request`` to ``path`` does not keep its box offline, in one sentence, or empty."""
    return next(_reasons(path, request), "")


def _reasons(path: str, request: Mapping[str, Any]) -> Iterator[str]:
    for name in _others(request, PARAMETERS[path]):
        yield (
            f"the parameter {name} is refused: it is none of those that are known to reach the "
            "model alone, and the box is offline"
        )
    for number, message in enumerate(_listed(request, "messages")):
        yield from _message(f"messages[{number}]", message)
    yield from _content("system", request.get("system"))
    if (prediction := request.get("prediction")) is not None:
        yield from _held("prediction", prediction, {"type", "content"})
        if isinstance(prediction, Mapping):
            yield from _content("prediction.content", prediction.get("content"))
    for number, tool in enumerate(_listed(request, "tools")):
        yield from _tool(f"tools[{number}]", tool, chat=path == CHAT)
    choice = request.get("tool_choice")
    if isinstance(choice, Mapping) and not _among(choice.get("type"), _CHOICES):
        yield f"tool_choice is refused: {_shown(choice.get('type'))} is no choice of a box's tools"
    for name in _SCHEMAS:
        for address in _references(request.get(name)):
            yield f"{name} is refused: its schema refers to {_shown(address)}, and {_FETCHES}"


def _message(where: str, message: object) -> Iterator[str]:
    if not isinstance(message, Mapping):
        yield f"{where} is refused: it is no object"
        return
    yield from _held(where, message, _MESSAGE)
    if not _among(message.get("role"), _ROLES):
        yield f"{where} is refused: {_shown(message.get('role'))} is no role of a conversation"
    yield from _content(f"{where}.content", message.get("content"))
    for number, call in enumerate(_listed(message, "tool_calls")):
        kind = call.get("type") if isinstance(call, Mapping) else call
        if not _among(kind, _CALLS):
            yield f"{where}.tool_calls[{number}] is refused: {_shown(kind)} is no tool of a box"


def _tool(where: str, tool: object, *, chat: bool) -> Iterator[str]:
    if not isinstance(tool, Mapping):
        yield f"{where} is refused: it is no object"
        return
    kind = tool.get("type")
    if chat:
        runs_here = kind in ("function", "custom")
    else:
        text = kind if isinstance(kind, str) else ""
        runs_here = kind is None or bool(_IN_THE_BOX.fullmatch(text) or _SEARCH.fullmatch(text))
    if not runs_here:
        yield (
            f"{where} is refused: a tool of the type {_shown(kind)} runs at the endpoint, "
            "and the box is offline"
        )
    yield from _held(where, tool, _CHAT_TOOL if chat else _MESSAGES_TOOL)


def _content(where: str, content: object, depth: int = 0) -> Iterator[str]:
    if content is None or isinstance(content, str):
        return
    if not isinstance(content, list) or depth >= _DEEPEST:
        yield f"{where} is refused: it is neither a text nor a list of parts"
        return
    for number, part in enumerate(content):
        if not isinstance(part, str):
            yield from _part(f"{where}[{number}]", part, depth + 1)


def _part(where: str, part: object, depth: int) -> Iterator[str]:
    kind = part.get("type") if isinstance(part, Mapping) else None
    if not isinstance(part, Mapping) or not _among(kind, _KINDS):
        yield (
            f"{where} is refused: a part of the type {_shown(kind)} is none of those that are "
            "known to come from the box alone"
        )
        return
    yield from _held(where, part, _PART)
    for name in _ADDRESSES:
        yield from _address(f"{where}.{name}", part.get(name))
    for name, keys in (("input_audio", {"data", "format"}), ("file", {"file_data", "filename"})):
        yield from _inline(f"{where}.{name}", part.get(name), keys)
    if kind == "server_tool_use" and not _searches(part.get("name")):
        yield f"{where} is refused: {_shown(part.get('name'))} runs at the endpoint"
    if kind != "search_result":  # whose source is a text, which nobody follows
        yield from _source(f"{where}.source", part.get("source"), depth)
    if kind == "tool_search_tool_result":
        yield from _part(f"{where}.content", part.get("content"), depth)
    else:
        yield from _content(f"{where}.content", part.get("content"), depth)
    if kind in ("tool_addition", "tool_removal"):
        yield from _change(f"{where}.tool", part.get("tool"))


def _address(where: str, value: object) -> Iterator[str]:
    """An image or the like: inline, as a data: URL, or fetched."""
    if isinstance(value, Mapping):
        yield from _held(where, value, {"url", "detail", "format"})
        value = value.get("url")
    if value is not None and not (isinstance(value, str) and value[:5].lower() == "data:"):
        yield f"{where} is refused: it is no data: URL, and {_FETCHES}"


def _inline(where: str, value: object, keys: set[str]) -> Iterator[str]:
    """A file or sound, which some endpoints also take by its address or its number."""
    if value is None:
        return
    yield from _held(where, value, keys)
    data = value.get("data", value.get("file_data")) if isinstance(value, Mapping) else value
    if not isinstance(data, str) or not (data[:5].lower() == "data:" or _INLINE.fullmatch(data)):
        yield f"{where} is refused: it does not hold the data themselves, and {_FETCHES}"


def _source(where: str, source: object, depth: int) -> Iterator[str]:
    """Where Anthropic's images and documents come from."""
    if source is None:
        return
    kind = source.get("type") if isinstance(source, Mapping) else source
    if not _among(kind, {"base64", "text", "content"}) or not isinstance(source, Mapping):
        yield f"{where} is refused: its type is {_shown(kind)}, and {_FETCHES}"
        return
    yield from _held(where, source, {"type", "media_type", "data", "content"})
    yield from _content(f"{where}.content", source.get("content"), depth)


def _change(where: str, tool: object) -> Iterator[str]:
    """A tool that comes or goes in the middle of a conversation."""
    kind = tool.get("type") if isinstance(tool, Mapping) else None
    if kind == "tool_definition" and isinstance(tool, Mapping):
        yield from _tool(f"{where}.definition", tool.get("definition"), chat=False)
        for address in _references(tool):
            yield f"{where} is refused: its schema refers to {_shown(address)}, and {_FETCHES}"
    elif kind != "tool_reference":
        yield f"{where} is refused: {_shown(kind)} is no tool of a box"


def _held(where: str, value: object, keys: set[str]) -> Iterator[str]:
    for name in _others(value, keys):
        yield f"{where} is refused: its key {name} is none of those that the broker knows"


def _others(value: object, keys: set[str] | frozenset[str]) -> Iterator[str]:
    for name, inner in value.items() if isinstance(value, Mapping) else ():
        if inner is not None and name not in keys:
            yield _shown(name)


def _references(schema: object) -> Iterator[object]:
    """What a JSON Schema takes from elsewhere, anywhere in it."""
    open_ones = [schema]
    while open_ones:
        value = open_ones.pop()
        if isinstance(value, list):
            open_ones += value
        elif isinstance(value, Mapping):
            open_ones += value.values()
            for name in ("$ref", "$dynamicRef"):
                address = value.get(name)
                if isinstance(address, str) and not address.startswith("#"):
                    yield address


def _listed(place: Mapping[str, Any], name: str) -> list[object]:
    """The list; what is none, and no list can be made of, is one thing that is wrong."""
    value = place.get(name)
    return value if isinstance(value, list) else [] if value is None else [value]


def _among(value: object, known: set[Any]) -> bool:
    return (value is None or isinstance(value, str)) and value in known


def _searches(name: object) -> bool:
    return isinstance(name, str) and _SEARCH.fullmatch(name) is not None


def _shown(value: object) -> str:
    if isinstance(value, list | Mapping):
        return "a list" if isinstance(value, list) else "an object"
    text = repr(value)
    return text if len(text) <= 80 else f"{text[:79]}…"
