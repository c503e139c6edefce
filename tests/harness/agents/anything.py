"""JSON of any shape that has the protocols' words in it, so that it is read as far as it goes."""

from __future__ import annotations

from hypothesis import strategies as st

KEYS = st.sampled_from(
    [
        *("choices", "message", "delta", "content", "tool_calls", "function", "arguments", "id"),
        *("type", "text", "index", "usage", "error", "thinking", "input", "name", "role"),
        *(
            "content_block",
            "messages",
            "tool_call_id",
            "tool_use_id",
            "prompt_tokens_details",
            "cached_tokens",
            "refusal",
            "reasoning",
        ),
    ]
)
WORDS = st.sampled_from(
    [
        *("text", "tool_use", "thinking", "tool_result", "image", "refusal", "message_start"),
        *("content_block_start", "content_block_delta", "message_delta", "text_delta", "\ud800"),
        *("input_json_delta", "user", "assistant", "tool", "system", '{"a": 1}', "a", ""),
    ]
)
LEAVES = st.none() | st.booleans() | st.integers() | st.floats() | WORDS | st.just(10**4000)
ANYTHING = st.recursive(
    LEAVES, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(KEYS, inner, max_size=5)
)
RECORD = st.fixed_dictionaries(
    {"source": st.just("upstream")},
    optional={
        "request": ANYTHING | st.fixed_dictionaries({"messages": st.lists(ANYTHING, max_size=4)}),
        "reply": ANYTHING,
        "text": ANYTHING,
        **dict.fromkeys(("started", "seconds", "status", "model", "why"), ANYTHING),
        "usage": st.dictionaries(
            st.sampled_from(["prompt_tokens", "completion_tokens", "cost_usd"]), ANYTHING
        ),
    },
)
RECORDS = st.lists(RECORD, max_size=3)
