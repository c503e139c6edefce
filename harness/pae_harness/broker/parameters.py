"""The parameters of requests that reach the model alone, by the path that takes them.

An allow-list: endpoints add parameters, and what a new one fetches nobody knows beforehand. Left
out, beside what searches, fetches or runs something (``web_search_options``, ``plugins``,
``search_parameters``, ``mcp_servers``, ``container``, ``extra_body`` ...), are what names other
models (``models``, ``fallbacks``, ``provider``, ``route``), what is kept at the provider
(``thread``, ``preset``, ``cached_content``), what connects servers (``kv_transfer_params``), and
what gets past ``max_tokens`` (``n_predict``).
"""

from __future__ import annotations

from pae_harness.broker.upstream import CHAT, MESSAGES

_BOTH = """
    cache_control chat_template_kwargs max_tokens messages metadata model reasoning reasoning_effort
    service_tier session_id stream system temperature thinking tool_choice tools top_k top_p
"""
_OPENAI = """
    frequency_penalty function_call functions logit_bias logprobs max_completion_tokens modalities n
    parallel_tool_calls prediction presence_penalty prompt_cache_key prompt_cache_options
    prompt_cache_retention response_format safety_identifier seed stop store stream_options
    top_logprobs user verbosity
"""
_OPENROUTER = "include_reasoning min_p repetition_penalty top_a transforms usage"
_VLLM_AND_SGLANG = """
    add_generation_prompt add_special_tokens allowed_token_ids bad_words best_of cache_salt
    continue_final_message ebnf echo guided_choice guided_decoding_backend guided_grammar
    guided_json guided_regex guided_whitespace_pattern ignore_eos include_stop_str_in_output
    length_penalty logprob_token_ids min_tokens no_stop_trim priority prompt_logprobs regex
    repetition_detection request_id return_token_ids return_tokens_as_token_ids separate_reasoning
    skip_special_tokens spaces_between_special_tokens stop_regex stop_token_ids stream_interval
    stream_reasoning structural_tag structured_outputs thinking_token_budget truncate_prompt_tokens
    truncation_side use_beam_search
"""
_LLAMA_CPP = """
    cache_prompt dry_allowed_length dry_base dry_multiplier dry_penalty_last_n dry_sequence_breakers
    dynatemp_exponent dynatemp_range grammar grammar_lazy id_slot json_schema min_keep mirostat
    mirostat_eta mirostat_tau n_keep n_probs parse_tool_calls penalize_nl post_sampling_probs
    reasoning_budget reasoning_format repeat_last_n repeat_penalty return_progress return_tokens
    samplers t_max_predict_ms tfs_z thinking_budget_tokens thinking_forced_open timings_per_token
    top_n_sigma typical_p xtc_probability xtc_threshold
"""
_OLLAMA = "format keep_alive options think"
_OTHERS = "enable_thinking preserve_thinking prompt_mode random_seed safe_prompt thinking_budget"
_ANTHROPIC = """
    compaction context_management diagnostics inference_geo output_config output_format speed
    stop_sequences
"""
_CHAT = (_BOTH, _OPENAI, _OPENROUTER, _VLLM_AND_SGLANG, _LLAMA_CPP, _OLLAMA, _OTHERS)

PARAMETERS = {
    CHAT: frozenset(" ".join(_CHAT).split()) - {"system"},
    MESSAGES: frozenset((_BOTH + _ANTHROPIC).split()),
}
