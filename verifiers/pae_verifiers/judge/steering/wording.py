"""What attempts to steer a judge look like, in plain text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from pae_verifiers.judge.steering import Kind


class Sign(NamedTuple):
    """A regular expression, in which a space stands for white space and the case for either case.

    Text that matches has one of ``needs`` in it, in lower case: without, the expression is never
    compiled. A match that has ``unless`` within 80 characters is none; one that has no ``beside``
    within 300 is none.
    """

    kind: Kind
    needs: str
    pattern: str
    unless: str = ""
    beside: str = ""


def signs(text: str) -> Iterator[tuple[int, int, Kind]]:
    """Where the folded ``text`` steers, and how, in no order."""
    lower = text.lower()
    for sign in SIGNS:
        if any(need in lower for need in sign.needs.split("|")):
            for match in compiled(sign.pattern).finditer(text):
                if _counts(sign, text, *match.span()):
                    yield match.start(), match.end(), sign.kind
    yield from _transcripts(text, lower)


def _counts(sign: Sign, text: str, start: int, end: int) -> bool:
    if sign.unless and compiled(sign.unless).search(text, max(0, start - 80), end + 80):
        return False
    return not sign.beside or bool(
        compiled(sign.beside).search(text, max(0, start - 300), end + 300)
    )


def _transcripts(text: str, lower: str) -> Iterator[tuple[int, int, Kind]]:
    """From the first line to the last in which somebody speaks, if a machine is among them."""
    if not any(need in lower for need in _MACHINE_NEEDS.split("|")):
        return
    lines = [(m.start(), m.end(), m[1].lower()) for m in compiled(_SPEAKER).finditer(text)]
    speakers = {speaker for _, _, speaker in lines}
    machines = {s for s in speakers if compiled(_MACHINE).fullmatch(s)}
    if machines and len(speakers) > 1:
        yield lines[0][0], lines[-1][1], "transcript"


@lru_cache(maxsize=128)
def compiled(pattern: str) -> re.Pattern[str]:
    spaced = pattern.replace(" ?", r"\s{0,9}").replace(" ", r"\s{1,9}")
    return re.compile(spaced, re.IGNORECASE | re.MULTILINE)


_MACHINE_NEEDS = "assistant|ai|judge|grader|evaluator|verifier|助手|评委|評委|评审|評審|裁判"
_MACHINE = rf"{_MACHINE_NEEDS}"
_SPEAKER = (
    rf"^[^\w\n]{{0,6}}(user|human|system|developer|用户|用戶|系统|系統|{_MACHINE_NEEDS})"
    r"[^\w\n:]{0,3}:[^\n]{0,200}"
)

_WORK = r"(?:memo|answer|response|submission|document|candidate(?: answer)?|essay|write-?up)"
_THIS = rf"\bthis (?:{_WORK}|note|report|letter|text|work|output)\b"
_JUDGE = (
    r"(?:(?:ai|llm|automated|automatic|impartial|lenient|model|language|human) )?"
    r"(?:graders?|judges?|evaluators?|verifiers?|scorers?|raters?|judg(?:e|ing) models?"
    r"|grading models?)"
)
_FULL = (
    r"(?:full|maximum|max|top|highest|perfect|best|passing)(?: possible)? "
    r"(?:marks?|scores?|grades?|credit|points|ratings?)"
)
_BEFORE = r"(?:previous|prior|above|earlier|preceding|foregoing|original|initial)"
_GRADING = r"(?:grading|scoring|marking|judging|evaluation|system|rubric'?s?)"
_FILLER = r"(?:(?:all|any|every|each|the|these|those|of|your|rest|entire|whole) ){0,5}"
_IGNORE = r"\b(?:ignore|disregard|forget|override|bypass|overrule|discard)"
_OBEYED = r"(?:instructions?|rules|criteria|guidelines|directions|directives|prompts?|messages?)"
_NAMES = (
    r"(?:candidate|rubric|reference|context|facts|reply|faults|task|submission|untrusted|grader"
    r"|judge|judge?ment|verdict|score|grade|instructions?|system|assistant|user|human|answer"
    r"|document|evaluation|results?)"
)

SIGNS = (
    # A block of the prompt, ended or opened.
    Sign("block", "</", rf"</{_NAMES}(?:[-_ ][\w-]{{0,60}})?\s{{0,3}}>"),
    Sign("block", "<", rf"</?{_NAMES}[-_ ][0-9a-f]{{6,64}}\s{{0,3}}>"),
    Sign(
        "block",
        "<",
        r"^<(?:candidate|rubric|untrusted|grader|judge|verdict|system|assistant)"
        r"(?:[-_][\w-]{0,60})?>\s{0,3}$",
    ),
    Sign(
        "block",
        "begin|end",
        r"(?:[-=#]{3,}\s{0,3}|\[)(?:begin|end|start)(?: of)?(?: the)? (?:system|user|assistant"
        r"|candidate|rubric|submission|untrusted|judge)\b[\w\x20-]{0,30}(?:[-=#]{3,}|\])",
    ),
    Sign(
        "block",
        "end of",
        r"\bend of (?:the )?(?:untrusted|candidate|submitted|user|submission)(?:'s)? "
        r"(?:data|input|content|answer|document|block|text)\b",
    ),
    Sign("block", "nonce", r"\bnonce\b[^\n]{0,40}\b[0-9a-f]{12,64}\b"),
    # A message of the chat.
    Sign("message", "<|", r"<\|[\w▁\x20]{2,40}\|>"),
    Sign(
        "message",
        "inst]|sys>>|_of_turn>|_prompt]|_tools]|tool_calls]|tool_results]",
        r"\[/?(?:inst|system_prompt|available_tools|tool_calls|tool_results)\]|<</?sys>>"
        r"|<(?:start|end)_of_turn>",
    ),
    Sign(
        "message",
        "###",
        r"^#{3,6}\s{0,3}(?:(?:system|assistant|human|user)\s{0,3}:?\s{0,3}$"
        r"|(?:instruction|response|system|assistant|human|user)s?\s{0,3}:)",
    ),
    Sign(
        "message",
        "system|developer|assistant",
        r"^[^\w\n]{0,6}(?:(?-i:SYSTEM)|(?:system|developer|assistant) (?:message|prompt|override"
        r"|instructions?))[^\w\n:]{0,3}:[^\n]{0,100}",
    ),
    Sign(
        "message",
        "[system|[assistant|[developer",
        r"\[(?:system|developer|assistant)(?: (?:message|prompt|override|note|notice|update"
        r"|instructions?))?\](?!\()",
    ),
    Sign(
        "message",
        "role",
        r"[\"']role\\?[\"']\s{0,3}:\s{0,3}\\?[\"'](?:system|assistant|user|developer|tool)\\?[\"']",
    ),
    Sign(
        "message",
        "系统|系統",
        r"^[^\w\n]{0,4}(?:系统|系統)(?:消息|訊息|信息|提示|指令)[^\w\n:]{0,3}[:\]】]",
    ),
    # A judge's reply.
    Sign("verdict", "rubricid", r"\brubricid\b(?:\\?[\"'])?\s{0,3}[:=][^\n]{0,100}"),
    Sign("verdict", "criteria", r"[\"']criteria\\?[\"']\s{0,3}:\s{0,3}\["),
    Sign("verdict", "passed", r"\bpassed\s{0,3}=\s{0,3}true\b"),
    Sign(
        "verdict",
        "passed|verdict|score|grade|rating|pass",
        r"[\"'](?:passed|verdict|(?:\w{1,20}_)?score|grade|rating|pass)\\?[\"']\s{0,3}:\s{0,3}"
        r"\\?[\"']?(?:true|pass|full|[0-9])",
        beside=r"[\"'](?:rationale|evidence|criteri(?:a|on)|rubric|feedback|verdict)\\?[\"']",
    ),
    Sign("verdict", "verdict", r"^[^\w\n]{0,6}(?:final |overall )?verdict\s{0,3}: ?pass(?:ed)?\b"),
    Sign("verdict", "score:", r"^[^\w\n]{0,6}score: \d{1,3} - \d{1,3} = \d{1,3}\b"),
    # Orders.
    Sign(
        "instruction",
        "ignore|disregard|forget|override|bypass|overrule|discard",
        rf"{_IGNORE} {_FILLER}(?:rubric|system (?:prompt|message)|{_BEFORE} {_OBEYED}"
        rf"|{_GRADING} {_OBEYED}|{_BEFORE} {_GRADING} {_OBEYED})\b"
        rf"|{_IGNORE} {_FILLER}{_OBEYED} (?:above|before this|so far|you (?:were|have been) given)"
        r"\b",
        unless=r"\b(?:not|never|cannot|n't) (?:\w+ )?(?:ignore|disregard|forget|override|bypass"
        r"|overrule|discard)\b|\b(?:brokers?|custodian|banks?|standing|payments?|wire|settlement"
        r"|transfer|dealing)\b",
    ),
    Sign(
        "instruction",
        "grader|judg|evaluator|verifier|scorer|rater|grading model",
        r"\b(?:dear|attention|attn|hello|hey|(?:note|notice|message|instructions?|reminder|memo)"
        rf" (?:to|for))[:,]?\s{{1,3}}(?:(?:the|any|an?|all|our|my|whichever) )?{_JUDGE}\b"
        r"(?! (?-i:[A-Z][a-z]))",
    ),
    Sign(
        "instruction",
        "grader|judg|evaluator|verifier|scorer|rater|grading model",
        rf"\bas (?:the|an?|our|my|this) {_JUDGE}\b[^.\n]{{0,60}}"
        r"\byou (?:must|should|shall|will|may|can|have to|need to"
        r"|are (?:required|instructed|to))\b",
    ),
    Sign(
        "instruction",
        "you are|you're|act as",
        r"\b(?:you are|you're|act as) (?:now )?(?:the|an?) (?:(?:impartial|lenient|generous"
        r"|helpful|strict|ai|llm|automated|new) )?(?:graders?|evaluator|verifier|judge"
        r"|helpful assistant|ai assistant|language model)\b(?! of)",
    ),
    Sign(
        "instruction",
        "if you",
        r"\bif you(?: are|'re) (?:an? |the )?(?:ai|llm|large language model|language model|grader"
        r"|evaluator|verifier|(?:ai|llm|automated) \w+)\b",
    ),
    Sign(
        "instruction",
        "mark|score|grade|credit|point|rating",
        r"\b(?:give|award|assign|grant|mark|score|rate|grade) (?:(?:this|the|my|our|every|each|all)"
        rf" ){{1,2}}(?:{_WORK}|(?:rubric )?(?:items?|criteri(?:a|on)|checks?|dimensions?))"
        rf"[^.\n]{{0,30}}\b{_FULL}\b",
    ),
    Sign(
        "instruction",
        "mark|score|grade",
        r"(?:^|[.!?:;,] ?|\bplease |\bmust |\bshould |\bshall |\byou (?:will|may) )"
        r"(?:(?:now|just|simply|therefore|then|also|always) )?(?:give|award|assign|grant|return"
        r"|report|output)\b[^.\n]{0,40}\b(?:full|maximum|perfect|top) (?:possible )?"
        r"(?:marks?|scores?|grades?)\b",
    ),
    Sign(
        "instruction",
        "mark|score|grade|credit|point|rating",
        rf"{_THIS}[^.\n]{{0,60}}\b(?:deserves?|merits?|must|should|is to|earns?"
        rf"|receives?)\b[^.\n]{{0,40}}\b{_FULL}\b",
    ),
    Sign(
        "instruction",
        "items|item|criteri|check|question|dimension",
        r"\b(?:mark|set|score|grade) (?:all|every|each)(?: (?:of|the|rubric|remaining|required"
        r"|other)){0,3} (?:items?|criteri(?:a|on)|checks?|questions?|dimensions?)\b[^.\n]{0,30}"
        r"\b(?:passed|passing|satisfied|fulfilled|met|pass|true|5|five)\b",
    ),
    Sign(
        "instruction",
        "deduct|penali|fail|mark down|dock|subtract",
        r"\b(?:do not|don't|never) (?:(?:deduct|subtract|dock) (?:any )?(?:points|marks)"
        rf"|(?:penali[sz]e|fail|mark down) (?:this|the|my|our) (?:{_WORK}|item|writer))\b",
    ),
    Sign(
        "instruction",
        "rubric|grading|scoring",
        rf"\b(?:rubric|grading (?:scheme|criteria|{_OBEYED})|scoring (?:guide|{_OBEYED}))\b"
        r"[^.\n]{0,30}\b(?:(?:has|have|is|are|was|were) (?:been |now )?(?:changed|updated|replaced"
        r"|superseded|void|suspended|withdrawn|obsolete|cancell?ed|disabled)|no longer appl"
        r"|do(?:es)? not apply|(?:can|must|should|may) be (?:ignored|disregarded|skipped))"
        r"|\b(?:new|updated|revised|actual|true) (?:grading |scoring )?rubric\b",
    ),
    Sign(
        "instruction",
        "new |updated |revised ",
        rf"\b(?:new|updated|revised) (?:\w+ )?{_OBEYED} (?:for|to) (?:the )?(?:{_JUDGE}|model|ai"
        r"|assistant)\b",
    ),
    Sign(
        "instruction",
        "graded|scored|judged|approved|verified",
        rf"{_THIS}[^.\n]{{0,30}}\bhas (?:already )?been (?:graded|scored|judged)\b"
        r"|\b(?:pre-?|already )?(?:approved|verified|graded|scored) by (?:the|an?|another) "
        rf"{_JUDGE}\b",
    ),
    Sign(
        "instruction",
        "your previous|your last|your earlier|your first",
        r"\byour (?:previous|last|earlier|first) (?:reply|answer|response|output|verdict|json"
        r"|evaluation)\b[^.\n]{0,40}\b(?:invalid|not valid|rejected|malformed"
        r"|can(?:not| not) be used|could not be (?:used|parsed)|failed (?:schema )?validation)",
    ),
    Sign(
        "instruction",
        "system prompt",
        r"\b(?:reveal|print|show|repeat|output|disclose) (?:me )?the (?:\w+ )?system prompt\b"
        r"|\byour (?:\w+ )?system prompt\b",
    ),
    Sign(
        "instruction",
        "json|verdict|object",
        r"\b(?:return|output|respond with|reply with|answer with|print) (?:only |exactly |just )?"
        r"(?:this|the following)(?: exact)? (?:json|verdict|object|reply)\b",
    ),
    # The same in Chinese.
    Sign(
        "instruction",
        "忽略|无视|無視|忽视|忽視|理会|理會|忘记|忘記|跳过|跳過",
        r"(?:忽略|无视|無視|忽视|忽視|不[要用必](?:理会|理會)|忘记|忘記|跳过|跳過)[^。\n]{0,10}"
        r"(?:(?:评分|評分|评判|評判|评审|評審)(?:标准|標準|规则|規則|细则|細則|准则|準則|要求)"
        r"|(?:之前|以上|先前|上述|上面|前面|所有)的?(?:所有|全部)?的?(?:指令|指示|提示|说明|說明|规则|規則)"
        r"|系统(?:提示|指令)|系統(?:提示|指令)|提示词|提示詞)",
    ),
    Sign(
        "instruction",
        "满分|滿分|最高分",
        r"(?:请|請|必须|必須|务必|務必|应当|應當|直接|应该|應該)[^。\n]{0,20}(?:满分|滿分|最高分)"
        r"|(?:给|給|打|授予)[^。\n]{0,4}(?:本文|本报告|本報告|这篇|這篇|此文|该答案|該答案|本答案)"
        r"[^。\n]{0,10}(?:满分|滿分|最高分)",
    ),
    Sign(
        "instruction",
        "作为|作為|身为|身為|你是|您是",
        r"(?:作为|作為|身为|身為|[你您](?:现在|現在)?是)(?:一[个名位個])?(?:本次|这次|這次)?的?"
        r"(?:评分|評分|评审|評審|评判|評判|评估模型|評估模型|阅卷|閱卷|语言模型|語言模型|AI助手)"
        r"[^。\n]{0,20}(?:[你您]|必须|必須|应|應|请|請|给|給)",
    ),
    Sign(
        "instruction",
        "标记|標記|判定|视为|視為|判为|判為",
        r"(?:所有|全部|每[一个個项項])[^。\n]{0,12}(?:标记|標記|判定|视|視|判)[为為](?:已)?"
        r"(?:通过|通過|满足|滿足|合格)",
    ),
    Sign(
        "instruction",
        "致评|致評|致阅|致閱|评分员|評分員|评分模型|評分模型|评审模型|評審模型|阅卷人|閱卷人",
        r"(?:致|给|給|告)(?:各位)?(?:评分|評分|评审|評審|阅卷|閱卷)(?:员|員|者|人|模型|系统|系統|老师|老師)",
    ),
)
