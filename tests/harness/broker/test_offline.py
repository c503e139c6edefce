"""An agent's box stays offline: what has the endpoint fetch, search or run anything is refused."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pytest
from tests.fake_model import FakeModel
from tests.harness.broker.client import CHAT, Client, request

from pae_harness.broker.offline import refused

Connect = Callable[..., Client]
MESSAGES = "/v1/messages"
PNG = "data:image/png;base64,iVBORw0KGgo="
WEB = "https://example.com/x.png"
SCHEMA = {"type": "object", "properties": {"path": {"type": "string"}}, "required": ["path"]}
FUNCTION = {"type": "function", "function": {"name": "read", "parameters": SCHEMA, "strict": True}}


def chat(*messages: Any, **more: Any) -> dict[str, Any]:
    return {"model": "small", "messages": list(messages) or [user("Hello")], **more}


def messages(*turns: Any, **more: Any) -> dict[str, Any]:
    return {"max_tokens": 1024, **chat(*turns, **more)}


def user(content: Any) -> dict[str, Any]:
    return {"role": "user", "content": content}


PASSED: Mapping[str, tuple[str, dict[str, Any]]] = {
    "openai's client": (
        CHAT,
        chat(
            {"role": "developer", "content": "Be brief."},
            user([{"type": "text", "text": "Read it."}]),
            {
                "role": "assistant",
                "content": None,
                "refusal": None,
                "audio": None,
                "annotations": [],
                "function_call": None,
                "tool_calls": [
                    {
                        "id": "call_1",
                        "type": "function",
                        "function": {"name": "read", "arguments": '{"path": "https://a.b"}'},
                    },
                    {"id": "call_2", "type": "custom", "custom": {"name": "sh", "input": "ls"}},
                ],
            },
            {"role": "tool", "tool_call_id": "call_1", "content": "see https://example.com"},
            {"role": "tool", "tool_call_id": "call_2", "content": [{"type": "text", "text": "a"}]},
            tools=[
                FUNCTION,
                {"type": "custom", "custom": {"name": "sh", "description": "A shell"}},
            ],
            tool_choice={"type": "function", "function": {"name": "read"}},
            parallel_tool_calls=False,
            response_format={
                "type": "json_schema",
                "json_schema": {
                    "name": "memo",
                    "schema": {
                        "$schema": "https://json-schema.org/draft/2020-12/schema",
                        "$defs": {"cell": {"type": "string"}},
                        "items": {"$ref": "#/$defs/cell"},
                    },
                },
            },
            temperature=0,
            top_p=1,
            n=1,
            seed=7,
            stop=["END"],
            store=False,
            stream=True,
            stream_options={"include_usage": True},
            logprobs=True,
            top_logprobs=3,
            logit_bias={"1": -100},
            max_completion_tokens=100,
            reasoning_effort="low",
            verbosity="low",
            metadata={"task": "memo"},
            user="trial",
            prompt_cache_key="k",
            prompt_cache_retention="24h",
            safety_identifier="s",
            service_tier="auto",
            prediction={"type": "content", "content": [{"type": "text", "text": "draft"}]},
            web_search_options=None,
        ),
    ),
    "openai's client with inline media": (
        CHAT,
        chat(
            user(
                [
                    {"type": "image_url", "image_url": {"url": PNG, "detail": "low"}},
                    {"type": "input_audio", "input_audio": {"data": "AAAA", "format": "wav"}},
                    {
                        "type": "file",
                        "file": {
                            "filename": "a.pdf",
                            "file_data": "data:application/pdf;base64,AAAA",
                        },
                    },
                ]
            )
        ),
    ),
    "openai's older functions": (
        CHAT,
        chat(
            user("Hello"),
            {
                "role": "assistant",
                "content": None,
                "function_call": {"name": "f", "arguments": "{}"},
            },
            {"role": "function", "name": "f", "content": "1"},
            functions=[{"name": "f", "parameters": SCHEMA}],
            function_call="auto",
        ),
    ),
    "anthropic's client": (
        MESSAGES,
        messages(
            user(
                [
                    {
                        "type": "image",
                        "source": {"type": "base64", "media_type": "image/png", "data": "AAAA"},
                    },
                    {
                        "type": "document",
                        "title": "Notes",
                        "citations": {"enabled": True},
                        "source": {
                            "type": "text",
                            "media_type": "text/plain",
                            "data": "see https://example.com",
                        },
                    },
                    {
                        "type": "document",
                        "source": {"type": "content", "content": [{"type": "text", "text": "a"}]},
                    },
                    {
                        "type": "search_result",
                        "source": "https://example.com/notes",
                        "title": "Notes",
                        "content": [{"type": "text", "text": "a"}],
                    },
                    {"type": "text", "text": "Compare."},
                ]
            ),
            system="Be brief.",
            tools=[
                {"name": "read", "description": "Reads", "input_schema": SCHEMA},
                {"type": "custom", "name": "write", "input_schema": SCHEMA, "strict": True},
                {"type": "bash_20250124", "name": "bash"},
                {"type": "text_editor_20250728", "name": "str_replace_based_edit_tool"},
                {"type": "memory_20250818", "name": "memory"},
                {
                    "type": "computer_20251124",
                    "name": "computer",
                    "display_width_px": 800,
                    "display_height_px": 600,
                },
            ],
            tool_choice={"type": "any", "disable_parallel_tool_use": True},
            temperature=1,
            top_k=5,
            top_p=0.9,
            stop_sequences=["END"],
            service_tier="auto",
            output_config={"effort": "low", "format": {"type": "json_schema", "schema": SCHEMA}},
        ),
    ),
    "a command-line coder on anthropic's protocol": (
        MESSAGES,
        messages(
            user(
                [
                    {
                        "type": "text",
                        "text": "<system-reminder>The date.</system-reminder>",
                        "cache_control": {"type": "ephemeral"},
                    },
                    {"type": "text", "text": "Write the memo."},
                ]
            ),
            {
                "role": "assistant",
                "content": [
                    {"type": "thinking", "thinking": "I read it first.", "signature": "c2ln"},
                    {"type": "redacted_thinking", "data": "b3BhcXVl"},
                    {"type": "text", "text": "I read it.", "citations": None},
                    {
                        "type": "tool_use",
                        "id": "toolu_1",
                        "name": "WebFetch",
                        "input": {"type": "url", "url": "https://example.com", "$ref": "x"},
                        "caller": {"type": "direct"},
                    },
                ],
            },
            user(
                [
                    {
                        "type": "tool_result",
                        "tool_use_id": "toolu_1",
                        "is_error": True,
                        "content": [
                            {"type": "text", "text": "no network"},
                            {
                                "type": "image",
                                "source": {
                                    "type": "base64",
                                    "media_type": "image/png",
                                    "data": "AAAA",
                                },
                            },
                        ],
                        "cache_control": {"type": "ephemeral", "ttl": "1h"},
                    },
                    {
                        "type": "tool_result",
                        "tool_use_id": "toolu_2",
                        "content": [{"type": "tool_reference", "tool_name": "Read"}],
                    },
                ]
            ),
            system=[
                {"type": "text", "text": "x-billing-header: cc_version=2"},
                {
                    "type": "text",
                    "text": "You write memos.",
                    "cache_control": {"type": "ephemeral"},
                },
            ],
            tools=[
                {
                    "name": "Bash",
                    "description": "Runs a command",
                    "input_schema": {
                        "$schema": "http://json-schema.org/draft-07/schema#",
                        **SCHEMA,
                    },
                    "eager_input_streaming": True,
                },
                {"name": "Read", "input_schema": SCHEMA, "defer_loading": True},
                {"type": "tool_search_tool_regex_20251119", "name": "tool_search_tool_regex"},
            ],
            metadata={"user_id": "user_0_account__session_1"},
            thinking={"type": "enabled", "budget_tokens": 1023},
            context_management={"edits": [{"type": "clear_thinking_20251015", "keep": "all"}]},
            stream=True,
        ),
    ),
    "a search through the request's own tools": (
        MESSAGES,
        messages(
            {
                "role": "assistant",
                "content": [
                    {
                        "type": "server_tool_use",
                        "id": "srvtoolu_1",
                        "name": "tool_search_tool_regex",
                        "input": {"query": "read"},
                    },
                    {
                        "type": "tool_search_tool_result",
                        "tool_use_id": "srvtoolu_1",
                        "content": {
                            "type": "tool_search_tool_search_result",
                            "tool_references": [{"type": "tool_reference", "tool_name": "Read"}],
                        },
                    },
                ],
            },
            user(
                [
                    {"type": "tool_addition", "tool": {"type": "tool_reference", "name": "Read"}},
                    {
                        "type": "tool_addition",
                        "tool": {
                            "type": "tool_definition",
                            "definition": {"name": "late", "input_schema": SCHEMA},
                        },
                    },
                ]
            ),
        ),
    ),
    "mini-swe-agent through litellm": (
        CHAT,
        chat(
            {"role": "system", "content": "You are a helpful assistant."},
            user([{"type": "text", "text": "ls", "cache_control": {"type": "ephemeral"}}]),
            {
                "role": "assistant",
                "content": "```bash\nls\n```",
                "tool_calls": None,
                "function_call": None,
                "reasoning_content": "I look first.",
                "thinking_blocks": [{"type": "thinking", "thinking": "I look.", "signature": "s"}],
                "provider_specific_fields": {"refusal": None},
            },
            user("<output>a</output>"),
            temperature=0.0,
            tools=[FUNCTION],
            drop_params=None,
        ),
    ),
    "openrouter": (
        CHAT,
        chat(
            user("Hello"),
            {
                "role": "assistant",
                "content": "Hi",
                "reasoning": "They greet.",
                "reasoning_details": [{"type": "reasoning.text", "text": "They greet."}],
            },
            reasoning={"effort": "high", "exclude": False},
            include_reasoning=True,
            usage={"include": True},
            transforms=["middle-out"],
            top_k=40,
            min_p=0.05,
            top_a=0.1,
            repetition_penalty=1.05,
            session_id="s",
        ),
    ),
    "vllm": (
        CHAT,
        chat(
            chat_template_kwargs={"enable_thinking": False},
            top_k=20,
            min_p=0,
            repetition_penalty=1.0,
            stop_token_ids=[1],
            skip_special_tokens=False,
            guided_json=SCHEMA,
            structured_outputs={"regex": "a+"},
            ignore_eos=False,
            min_tokens=1,
            priority=0,
            thinking_token_budget=100,
        ),
    ),
    "llama.cpp": (
        CHAT,
        chat(
            grammar='root ::= "yes" | "no"',
            cache_prompt=True,
            mirostat=2,
            dry_multiplier=0.8,
            repeat_penalty=1.1,
            samplers=["top_k"],
            reasoning_format="auto",
            timings_per_token=True,
        ),
    ),
    "ollama": (CHAT, chat(think=False, format=SCHEMA, keep_alive="5m", reasoning_effort="none")),
}


@pytest.mark.parametrize(("path", "asked"), PASSED.values(), ids=PASSED.keys())
def test_what_clients_ask_passes(path: str, asked: dict[str, Any]) -> None:
    assert refused(path, asked) == ""


@pytest.mark.parametrize(
    "more",
    [
        {"web_search_options": {}},  # OpenAI
        {"search_parameters": {"mode": "on"}},  # xAI
        {"deferred": True},
        {"plugins": [{"id": "web"}]},  # OpenRouter
        {"models": ["small"]},
        {"fallbacks": ["small"]},
        {"route": "fallback"},
        {"provider": {"order": ["x"]}},
        {"preset": "mine"},
        {"extra_body": {"google": {"cached_content": "cachedContents/1"}}},  # Gemini
        {"cached_content": "cachedContents/1"},
        {"enable_search": True},  # Qwen
        {"search_domain_filter": ["example.com"]},  # Perplexity
        {"prompt": {"id": "pmpt_1"}},
        {"previous_response_id": "resp_1"},
        {"conversation": "conv_1"},
        {"audio": {"voice": "alloy", "format": "wav"}},
        {"api_base": "http://example.com"},  # a LiteLLM proxy
        {"kv_transfer_params": {"remote_host": "example.com"}},  # vLLM
        {"logits_processors": ["os.system"]},
        {"documents": [{"url": WEB}]},
        {"n_predict": 100_000},  # llama.cpp heeds it before max_tokens
        {"something_new": 1},
        {"": 1},
    ],
    ids=lambda more: next(iter(more)),
)
@pytest.mark.parametrize("path", [CHAT, MESSAGES])
def test_a_parameter_that_may_reach_further_is_refused_by_name(
    path: str, more: dict[str, Any]
) -> None:
    (name,) = more
    assert refused(path, messages(**more)) == (
        f"the parameter {name!r} is refused: it is none of those that are known to reach the model "
        "alone, and the box is offline"
    )


@pytest.mark.parametrize(
    "more",
    [
        {"mcp_servers": [{"type": "url", "url": "https://example.com", "name": "x"}]},
        {"container": "container_1"},
        {"container": {"skills": [{"type": "anthropic", "skill_id": "pptx"}]}},
        {"thread": {"type": "continue", "previous_message_id": "msg_1"}},
        {"fallbacks": "default"},
        {"fallback_credit_token": "t"},
    ],
    ids=str,
)
def test_so_is_one_of_anthropic_s(more: dict[str, Any]) -> None:
    (name,) = more
    assert refused(MESSAGES, messages(**more)).startswith(f"the parameter {name!r} is refused")


@pytest.mark.parametrize(
    ("path", "tool"),
    [
        (CHAT, {"type": "web_search"}),
        (CHAT, {"type": "web_search_preview"}),
        (CHAT, {"type": "web_search", "web_search": {"enable": True}}),  # GLM
        (CHAT, {"type": "builtin_function", "function": {"name": "$web_search"}}),  # Kimi
        (CHAT, {"type": "openrouter:web_search"}),
        (CHAT, {"type": "mcp", "server_url": "https://example.com"}),
        (CHAT, {"type": "code_interpreter", "container": {"type": "auto"}}),
        (CHAT, {"type": "bash_20250124", "name": "bash"}),
        (CHAT, {"type": ["function"]}),
        (CHAT, {"google_search": {}}),  # Gemini
        (CHAT, {"url_context": {}}),
        (CHAT, {"function": {"name": "f"}}),
        (MESSAGES, {"type": "web_search_20250305", "name": "web_search"}),
        (MESSAGES, {"type": "web_fetch_20260318", "name": "web_fetch"}),
        (MESSAGES, {"type": "code_execution_20250825", "name": "code_execution"}),
        (MESSAGES, {"type": "bash_code_execution_20250825", "name": "bash"}),
        (MESSAGES, {"type": "mcp_toolset", "mcp_server_name": "x"}),
        (MESSAGES, {"type": "advisor_20260301", "name": "advisor", "model": "large"}),
        (MESSAGES, {"type": "browser_toolset_20260801"}),
        (MESSAGES, {"type": "function", "function": {"name": "f"}}),
    ],
    ids=str,
)
def test_a_tool_that_runs_at_the_endpoint_is_refused(path: str, tool: dict[str, Any]) -> None:
    asked = messages(tools=[{"type": "function"} if path == CHAT else {"name": "f"}, tool])
    said = refused(path, asked)
    assert said.startswith("tools[1] is refused: a tool of the type ")
    assert said.endswith(" runs at the endpoint, and the box is offline")


def test_a_tool_beside_a_function_is_refused() -> None:
    said = refused(CHAT, chat(tools=[{**FUNCTION, "google_search": {}}]))
    assert said == (
        "tools[0] is refused: its key 'google_search' is none of those that the broker knows"
    )


@pytest.mark.parametrize(
    "part",
    [
        {"type": "image_url", "image_url": {"url": WEB}},
        {"type": "image_url", "image_url": WEB},
        {"type": "image_url", "image_url": {"url": "file:///etc/passwd"}},
        {"type": "image_url", "image_url": {"url": "/etc/passwd"}},
        {"type": "image_url", "image_url": {"url": [WEB]}},
        {"type": "image_url", "image_url": {"url": PNG, "uri": WEB}},
        {"type": "text", "text": "x", "image_url": {"url": WEB}},
        {"type": "input_image", "image_url": WEB},
        {"type": "input_image", "file_id": "file-1"},
        {"type": "video_url", "video_url": {"url": WEB}},
        {"type": "audio_url", "audio_url": {"url": WEB}},
        {"type": "input_audio", "input_audio": {"data": WEB, "format": "wav"}},
        {"type": "input_audio", "input_audio": WEB},
        {"type": "file", "file": {"file_id": "file-1"}},
        {"type": "file", "file": {"filename": "a.pdf", "file_data": WEB}},
        {"type": "file", "file": {"file_data": {"url": WEB}}},
        {"type": "input_file", "file_url": WEB},
        {"type": "image", "source": {"type": "url", "url": WEB}},
        {"type": "image", "source": {"type": "file", "file_id": "file_1"}},
        {"type": "image", "source": {"type": "base64", "data": "AAAA", "url": WEB}},
        {"type": "image", "source": WEB},
        {"type": "document", "source": {"type": "url", "url": WEB}},
        {"type": "document", "source": {"type": "file", "file_id": "file_1"}},
        {
            "type": "document",
            "source": {
                "type": "content",
                "content": [{"type": "image", "source": {"type": "url", "url": WEB}}],
            },
        },
        {"type": "container_upload", "file_id": "file_1"},
        {"type": "server_tool_use", "id": "x", "name": "web_fetch", "input": {"url": WEB}},
        {"type": "mcp_tool_use", "id": "x", "name": "f", "server_name": "x", "input": {}},
        {"type": "tool_addition", "tool": {"type": "mcp_toolset_reference", "name": "x"}},
        {
            "type": "tool_addition",
            "tool": {
                "type": "tool_definition",
                "definition": {"type": "web_fetch_20260318", "name": "web_fetch"},
            },
        },
        {"type": "something_new"},
        {"type": None},
        {"type": {}},
        {"image_url": {"url": WEB}},
        5,
    ],
    ids=str,
)
@pytest.mark.parametrize(
    "wrap",
    [
        lambda part: messages(user([{"type": "text", "text": "See:"}, part])),
        lambda part: messages({"role": "tool", "tool_call_id": "1", "content": [part]}),
        lambda part: messages(
            user([{"type": "tool_result", "tool_use_id": "1", "content": [part]}])
        ),
        lambda part: messages(system=[part]),
    ],
    ids=["user", "tool", "in a tool's result", "system"],
)
def test_a_part_that_the_endpoint_would_fetch_is_refused(
    part: Any, wrap: Callable[[Any], dict[str, Any]]
) -> None:
    said = refused(MESSAGES, wrap(part))
    assert said.startswith(("messages[0].content[", "system["))
    assert " is refused: " in said


def test_a_sentence_names_the_place() -> None:
    image = {"type": "image_url", "image_url": {"url": WEB}}
    assert refused(CHAT, chat(user("a"), user([image]))) == (
        "messages[1].content[0].image_url is refused: it is no data: URL, and the endpoint would "
        "fetch it for a box that is offline"
    )


@pytest.mark.parametrize(
    "message",
    [
        {"role": "cache", "content": "tag=mine"},  # Kimi's stored contexts
        {"role": ["user"], "content": "a"},
        {"content": "a"},
        user({"type": "image_url", "image_url": {"url": WEB}}),
        {**user("a"), "images": [WEB]},
        {**user("a"), "attachments": [{"file_id": "file-1"}]},
        {"role": "assistant", "audio": {"id": "audio_1"}},
        {"role": "assistant", "tool_calls": [{"type": "builtin_function"}]},
        {"role": "assistant", "tool_calls": WEB},
        "hello",
    ],
    ids=str,
)
def test_a_message_that_is_none_of_a_conversation_s_is_refused(message: Any) -> None:
    assert refused(CHAT, chat(message)).startswith("messages[0]")


@pytest.mark.parametrize(
    "more",
    [
        {"tools": [{"type": "function", "function": {"parameters": {"$ref": WEB}}}]},
        {"functions": [{"name": "f", "parameters": {"items": [{"$ref": "other.json"}]}}]},
        {"response_format": {"type": "json_schema", "json_schema": {"schema": {"$ref": WEB}}}},
        {"guided_json": {"$dynamicRef": WEB}},
    ],
    ids=lambda more: next(iter(more)),
)
def test_a_schema_that_lies_elsewhere_is_refused(more: dict[str, Any]) -> None:
    assert "its schema refers to '" in refused(CHAT, chat(**more))


def test_a_choice_of_a_tool_of_the_endpoint_s_is_refused() -> None:
    said = refused(CHAT, chat(tool_choice={"type": "web_search_preview"}))
    assert said == "tool_choice is refused: 'web_search_preview' is no choice of a box's tools"


def test_parts_are_looked_into_at_any_depth() -> None:
    part: dict[str, Any] = {"type": "text", "text": "deep"}
    for _ in range(400):
        part = {"type": "tool_result", "tool_use_id": "1", "content": [part]}
    assert "it is neither a text nor a list of parts" in refused(MESSAGES, messages(user([part])))


def test_an_agent_is_told_and_nobody_is_asked(connect: Connect, upstream: FakeModel) -> None:
    heard = connect(role="agent").ask(request(web_search_options={}))
    assert (heard.status, heard.code) == (400, "not_offline")
    assert "'web_search_options'" in heard.json["error"]["message"]
    assert heard.headers["x-should-retry"] == "false"
    assert upstream.seen == []


def test_a_refused_request_is_no_trouble(connect: Connect, upstream: FakeModel) -> None:
    agent = connect(role="agent")
    agent.ask()
    agent.ask(request(web_search_options={}))
    assert agent.grant.trouble() == ""
    assert len(upstream.seen) == 1


def test_a_judge_s_verifier_is_trusted(connect: Connect, upstream: FakeModel) -> None:
    assert connect().ask(request(web_search_options={})).status == 200
    assert upstream.seen[0].json["web_search_options"] == {}


@pytest.mark.parametrize("query", ["?beta=true", "?web_search=1&tools=x", "?"])
def test_a_query_stays_here(connect: Connect, upstream: FakeModel, query: str) -> None:
    agent = connect(role="agent")
    assert agent.send("POST", f"{MESSAGES}{query}", messages()).status == 200
    assert upstream.seen[0].path == MESSAGES


def test_of_an_agent_s_headers_only_the_protocol_s_go_out(
    connect: Connect, upstream: FakeModel
) -> None:
    agent = connect(role="agent")
    sent = {
        "x-api-key": agent.grant.token,
        "anthropic-version": "2023-06-01",
        "anthropic-beta": "claude-code-20250219,interleaved-thinking-2025-05-14",
        "x-session-id": "s",
        "http-referer": "https://example.com",
    }
    assert agent.send("POST", f"{MESSAGES}?beta=true", messages(), sent).status == 200
    told = upstream.seen[0].headers
    assert told["anthropic-beta"] == "claude-code-20250219,interleaved-thinking-2025-05-14"
    assert told["anthropic-version"] == "2023-06-01"
    assert not {"x-session-id", "http-referer"} & set(told)


def test_tokens_are_not_counted_here(connect: Connect, upstream: FakeModel) -> None:
    """Clients estimate them then, as with any endpoint that lacks it."""
    agent = connect(role="agent")
    heard = agent.send("POST", f"{MESSAGES}/count_tokens?beta=true", chat())
    assert (heard.status, heard.code, upstream.seen) == (404, "not_found", [])
