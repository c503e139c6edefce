"""Sentences that advise the reader on their own money or affairs.

They are known by their wording: "you should" and the like before an act or an affair of the
reader's own, "we recommend" before an act, an imperative, an appraisal ("it would be wise to").
Asking to call, read or report a change is not advice, nor is a denial.
"""

from __future__ import annotations

import re

from pae_verifiers.judge.candidate import Candidate
from pae_verifiers.judge.wording import Wording, Words


def advice(candidate: Candidate) -> tuple[str, ...]:
    """The sentences, list items and headings of the document that advise; tables do not."""
    return tuple(p.quote for p in candidate.pieces if p.kind != "row" and is_advice(p.text))


def is_advice(sentence: str) -> bool:
    """Whether a clause of the sentence advises; the sentence is as ``prose.plain`` gives it."""
    advising = [clause for clause in _TURNS.compiled.split(sentence) if _advises(clause)]
    return any(not _DENIED(clause) for clause in advising) and (
        _CONTRAST(sentence) or not _DENIED(sentence)
    )


def _advises(clause: str) -> bool:
    directed, urged = _directed(clause), _URGED.search(clause)
    return bool(
        (directed and not _TALK(clause[directed.start() : directed.end() + 15]))
        or (urged and not _TALK(clause[urged.end() : urged.end() + 25]))
        or any(form(clause) for form in _IMPERATIVES)
        or (_PERSONAL(clause) and any(form(clause) for form in _APPRAISALS))
    )


def _directed(clause: str) -> re.Match[str] | None:
    """The first phrase that directs the reader."""
    hits = [hit for phrase in _DIRECTIONS if (hit := phrase.search(clause))]
    return min(hits, key=lambda hit: hit.start(), default=None)


_TURNS = Wording(r"[;—–]|,? (?:but|however|though|yet) |, (?:and|so) ")
_CONTRAST = Words("but however though yet")
_ACT = Words("""
    buy{,ing} sell{,ing} invest{,ing} put{,ting} mov{e,ing} shift{,ing} add{,ing} increas{e,ing}
    reduc{e,ing} cut{,ting} hold{,ing} switch{,ing} transfer{,ring} top{,ping}_up contribut{e,ing}
    pay{,ing}_{off,down} refinanc* remortgag* tak{e,ing}_{out,advantage,more,less,on,some,a_loan}
    consolidat* open{,ing} lock{,ing}_in harvest* claim convert* max{,ing}_out borrow* gift* defer*
    delay* retir{e,ing} sav{e,ing} avoid* accept{,ing}_more diversif* own{,ing} wait
    stay{,ing}_{invested,out,away,the_course} cash_{in,out} draw_down withdraw* rebalanc*
    hedg{e,ing} load_up pick_up get_{into,out} sit_tight spend* insur* set{,ting}_up
    {rais,lower}{e,ing,}_your build{,ing}_{,up_}{a,an,your} us{e,ing} keep_{more,less,some,buying}
""")
_AFFAIRS = """
    mortgage pension {your,spare,other,personal,emergency,extra}_{savings,cash,money}
    {your,spare,other,personal,emergency,extra}_account{,s}
    isa{,s} ira{,s} savings_account 401{k,(k} roth insurance estate_plan* will trust debt{,s} loan
    credit_card{,s} emergency_fund college retirement_{account,savings,plan,date} bonus inheritance
    annuit* crypto* bitcoin house second_home charit* spouse children
    risk_{appetite,tolerance,profile} months_of_{spending,expenses,income}
    your_own_{shares,funds,bonds,gold,investments,house,home,company}
"""
_AFFAIR = Words(_AFFAIRS)
_TALK = Words("""
    tell let_us_know call contact ask speak talk discuss inform note know see read bear remember
    feel hear receive reply write get_in_touch check_with consult
    rais{e,ing}_{it,this,any,that}_with mention be_aware expect
""")


def _concrete(clause: str) -> bool:
    return _ACT(clause) or _AFFAIR(clause)


_MUST = (
    r"you(?:'d| would| may| might| could)? (?:\w+ly )?(?:should|ought to|must|need to|had better"
    r"|(?:may|might) (?:also |well |therefore |now )?(?:want|wish|like|prefer) to|do well to"
    r"|consider|be (?:wise|better off|well advised|smart)(?: to| if you)?|are well placed to"
    r"|have (?:an|the) opportunity to|can take advantage)"
)
_DIRECTIONS = (
    Wording(
        rf"\b{_MUST}(?: (?:also|now|probably|definitely|really|at least|perhaps|not|be|seriously"
        r"|always|never|simply|just|think about|consider|look at))* "
        rf"(?:{_ACT.pattern}\b|.{{0,60}}\b{_AFFAIR.pattern}\b)",
        Words("you"),
        Words("""
            should {ought,need,want,wish,like,prefer,do_well}_to must had_better consider
            be_{wise,better_off,well_advised,smart} are_well_placed_to
            have_{an,the}_opportunity_to can_take_advantage
        """),
        _concrete,
    ),
    Wording(
        r"\byou (?:should|might|may|could) (?:also |want to |now |well )?consider\b",
        Words("consider"),
    ),
    Wording(
        rf"\bperhaps you could\b.{{0,30}}\b{_ACT.pattern}\b",
        Words("perhaps_you_could"),
    ),
    Wording(
        rf"\byou (?:could|can|might|may) (?:also )?{_ACT.pattern}\b.{{0,60}}\b{_AFFAIR.pattern}\b",
        *(Words("you_{could,can,might,may}"), _ACT, _AFFAIR),
    ),
    Wording(
        r"\bif i were you\b|\bin your (?:place|shoes|position)\b|\b(?:i|we)(?: would"
        r"|'d) (?:\w+ly )?(?:hold off|steer clear|think twice)\b",
        Words("if_i_were_you in_your_{place,shoes,position} hold_off steer_clear think_twice"),
    ),
    Wording(
        r"\b(?:investors?|clients?|anyone|people|an? (?:man|woman|person|client|family|couple))\b"
        rf".{{0,25}}?\b(?:should|ought to|must|needs? to) {_ACT.pattern}\b",
        Words("should ought_to must need{,s}_to"),
        _ACT,
    ),
)
_URGED = Wording(
    r"\b(?:we|i|we'd|i'd|our team)(?: (?:would|do|also|now|therefore|still|\w+ly))* (?:recommend"
    r"|suggest|advise|urge|encourage|propose|counsel)\b(?: that)?"
    rf"(?: you\b| (?:\w+ )?{_ACT.pattern}\b)"
    r"|\b(?:our|my) (?:advice|recommendation|suggestion|tip)(?: to you| for you)?,? (?:is|would be"
    r"|remains)\b",
    Words("""
        recommend suggest advise urge encourage propose counsel advice recommendation suggestion tip
    """),
)
_PAPER = Words("""
    {,own_,tax_}{policy,statement,letter,memo,record,paper,note,file,copy,report,time,questions}*
""").pattern
_OPENING = r"(?:^|[,;:—–] |\b(?:and|so|then|please|do|but) )"
_IMPERATIVES = (
    Wording(
        rf"{_OPENING}(?:please |do |just |also )?(?:consider|think about|why not|make sure"
        r" (?:you|to)|be sure to|try to|do not|don't|never|go ahead and|(?:it(?:'s| is) )?time to) "
        rf"(?:\w+ing|{_ACT.pattern})\b",
        Words("""
            consider think_about why_not make_sure_{you,to} be_sure_to try_to do_not don't never
            go_ahead_and time_to
        """),
    ),
    Wording(
        rf"{_OPENING}(?:please )?(?:put|move|use|invest|sell|buy|top up|pay (?:off|down)|take|shift"
        r"|increase|reduce|keep|raise|hold|hold on to) (?:(?:some of|all of|part of|more of|any|the"
        rf"|all) )?(?:your|spare|extra) (?!{_PAPER})",
        Words("your spare extra"),
        Words("""
            put move use invest sell buy top_up pay_{off,down} take shift increase reduce keep raise
            hold
        """),
    ),
    Wording(
        rf"{_OPENING}(?:(?:put|set)(?: [\w'$,.]+){{0,5}} aside\b|(?:keep|go on|start"
        rf"|stop) (?:buying"
        r"|selling|saving|investing|holding)\b|(?:add|pay in|deposit|withdraw|transfer) [$£€]?\d"
        r"|consider (?:an? (?:\w+ )?(?:higher|lower|larger|smaller|bigger|allocation)\b|more "
        r"|less |fewer ))",
        Words("""
            aside buying selling saving investing holding add pay_in deposit withdraw transfer
            consider
        """),
    ),
    Wording(rf"{_OPENING}take advantage\b", Words("take_advantage")),
    Wording(
        rf"{_OPENING}(?:buy|sell|hold|invest)\b.{{0,50}}\b(?:now|while|before prices|on the dip"
        r"|on dips|yourself)\b",
        *(
            Words("buy sell hold invest"),
            Words("now while before_prices on_the_dip on_dips yourself"),
        ),
    ),
)
_APPRAISALS = (
    Wording(
        r"\b(?:it )?(?:would be|is|may be|might be|'s) (?:\w+ )?(?:wise|sensible|prudent|smart"
        r"|worth|advisable|best|better|worthwhile|time|a (?:good|great|sound) (?:idea|time|moment)"
        r"|the (?:time|moment))(?: for (?:you|clients|investors|anyone))?(?: to)? "
        rf"(?:{_ACT.pattern}|considering|review\w* your)\b",
        Words(
            "wise sensible prudent smart worth advisable best better worthwhile time idea moment"
        ),
        lambda clause: _ACT(clause) or "considering" in clause or "review" in clause,
    ),
    Wording(
        rf"\bmakes? (?:good |a lot of )?sense (?:for you )?to {_ACT.pattern}\b",
        *(Words("make{,s}"), Words("sense")),
    ),
    Wording(r"\bnow is (?:a|the) (?:\w+ )?(?:time|moment)\b", Words("now_is_{a,the}")),
    Words("worth_{,your_}{considering,putting,moving,adding}"),
    Wording(
        rf"\byour (?:\w+ )?{_AFFAIR.pattern}\b.{{0,20}}\b(?:should|ought to|needs? to|must)\b",
        *(Words("your"), Words("should ought_to need{,s}_to must"), _AFFAIR),
    ),
    Wording(
        r"\b(?:spare|extra|other) (?:cash|money|savings)\b.{0,25}\b(?:should|belongs?"
        r"|would be better|is better)\b",
        Words("{spare,extra,other}_{cash,money,savings}"),
    ),
)
_PERSONAL = Words(f"{_AFFAIRS} you your now_is investors clients anyone")
_DENIED = Wording(
    r"\b(?:do|does|did)(?: not|n't) (?:\w+ )?(?:need|have|recommend|suggest|advise|propose|mean)"
    r"|\bneedn't\b|\bno need\b|\bnothing (?:that )?(?:you|for you)\b|\bnot (?:\w+ )?(?:advice"
    r"|a recommendation|recommending|suggesting|advising|asking)\b|\bno (?:advice|recommendation"
    r"|action)\b|\bif you (?:want|wish|would like|plan|intend|need|decide|prefer|expect"
    r"|are thinking|think)\b.*\b(?:tell|call|contact|let us know|ask|speak|write|talk)\b"
)
