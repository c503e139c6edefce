"""Signs in English and in the marks of chats, prompts and replies."""

from __future__ import annotations

from pae_verifiers.judge.steering.sign import Sign

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
_DENIED = (
    r"\b(?:not|never|cannot|n't) (?:\w+ )?"
    r"(?:ignore|disregard|forget|override|bypass|overrule|discard)\b"
)
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
    Sign("verdict", "rubricid|rubric_id", r"\brubric_?id\b[^\n]{0,100}"),
    Sign("verdict", "overall_judg", r"[\"']overall_judge?ment\\?[\"']\s{0,3}:"),
    Sign("verdict", "criteria", r"[\"']criteria\\?[\"']\s{0,3}:\s{0,3}\["),
    Sign(
        "verdict",
        "passed",
        r"\bpassed(?:\s{0,3}=\s{0,3}|\W{1,3}(?:must|should|has to|needs to) be (?:set to )?)true\b",
    ),
    Sign(
        "verdict",
        "passed|verdict|score|grade|rating|pass",
        r"[\"'](?:passed|verdict|(?:\w{1,20}_)?score|grade|rating|pass)\\?[\"']\s{0,3}:\s{0,3}"
        r"\\?[\"']?(?:true|pass|full|[0-9])",
        beside=r"[\"'](?:rationale|evidence|criteri(?:a|on)|rubric|feedback|verdict)\\?[\"']",
        prose=True,
    ),
    Sign(
        "verdict",
        "verdict",
        r"^[^\w\n]{0,6}(?:final |overall )?verdict\s{0,3}: ?pass(?:ed)?\b"
        r"|\bverdict (?:is|must be|should be)[^\w\n]{1,4}(?-i:PASS)\b",
    ),
    Sign("verdict", "score:", r"^[^\w\n]{0,6}score: \d{1,3} - \d{1,3} = \d{1,3}\b"),
    # Orders.
    Sign(
        "instruction",
        "rubric|system|grading|scoring|marking|judging|evaluation",
        rf"{_IGNORE} (?:[^.]{{0,40}}\brubric\b|{_FILLER}system (?:prompt|message)\b"
        rf"|{_FILLER}(?:{_BEFORE} )?{_GRADING} {_OBEYED}\b)",
        unless=_DENIED,
    ),
    Sign(
        "instruction",
        "ignore|disregard|forget|override|bypass|overrule|discard",
        rf"{_IGNORE} {_FILLER}(?:{_BEFORE} {_OBEYED}\b|{_OBEYED} (?:given |stated )?"
        r"(?:above|before this|so far|you (?:were|have been) given)\b)",
        # Standing instructions to a custodian are given, and withdrawn, in such words.
        unless=rf"{_DENIED}|\b(?:brokers?|custodian|banks?|standing|payments?|wire|settlement"
        r"|transfer|dealing)\b",
    ),
    Sign(
        "instruction",
        "grader|judg|evaluator|verifier|scorer|rater|grading model",
        r"\b(?:dear|attention|attn|hello|hey|(?:note|notice|message|instructions?|reminder|memo)"
        rf" (?:to|for))[:,]?\s{{1,3}}(?:(?:the|any|an?|all|our|my|whichever) )?{_JUDGE}\b"
        rf"(?! (?-i:[A-Z][a-z]))|^[^\w\n]{{0,6}}to (?:the|any|all) {_JUDGE} ?[:,]",
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
        rf"|receives?)\b[^.\n]{{0,40}}\b(?:{_FULL}|(?:score|marks?) of [0-9])"
        r"|\b(?:score|rate|grade|mark) this (?:\w+ )?(?:(?:as|at|with|an?) )?"
        r"[0-9]{1,3}(?: ?/ ?| out of )[0-9]{1,3}\b",
    ),
    Sign(
        "instruction",
        "items|item|criteri|check|question|dimension",
        r"\b(?:mark|set|score|grade) (?:all|every|each)(?: (?:of|the|rubric|remaining|required"
        r"|other)){0,3} (?:items?|criteri(?:a|on)|checks?|questions?|dimensions?)\b[^.\n]{0,30}"
        r"\b(?:passed|passing|satisfied|fulfilled|met|pass|true|5|five)\b"
        r"|\b(?:items?|criteri(?:a|on)|checks?|questions?) (?:(?:must|should|have to|are to) )?be "
        r"(?:marked|scored|graded|answered|judged) (?:as |with )?(?:passed|satisfied|met|true)\b"
        r"|\b(?:items?|criteri(?:a|on)|checks?|questions?) (?:of|in|on) (?:the|this|your) rubric\b",
    ),
    Sign(
        "instruction",
        "deduct|penali|fail|mark down|dock|subtract",
        r"\b(?:do not|don't|never|must not|should not) "
        r"(?:(?:deduct|subtract|dock) (?:any )?(?:points|marks)"
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
)
