"""The rules judge of the rebalancing memo: one deterministic function per judged rubric item.

A stand-in for a model: it reads sentences, not meaning, so it looks for several signs of a
statement close together and knows how honest writers say the opposite. `facts` is results.json.
Every function answers with quotes that are exact substrings of the memo.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from pae_verifiers.judge.advice import advice
from pae_verifiers.judge.forecasts import forecasts
from pae_verifiers.judge.prose import Piece, alone, first, pairs, plain, statements, under
from pae_verifiers.judge.readability import terms, too_long
from pae_verifiers.judge.rules import Candidate, Finding
from pae_verifiers.judge.then_and_now import told_twice
from pae_verifiers.judge.wording import Wording, Words

WHAT, COST, RISKS, NEXT = (
    "what changed and why",
    "cost and tax impact",
    "what risks remain",
    "what would trigger the next rebalance",
)
MEAN_WORDS, MOST_WORDS, UNEXPLAINED = 28, 65, 1

DEPARTED = Words("""
    drift* stray* wander* exceed* above below outside beyond past over under grown swollen slid
    fallen risen slipped sunk shrunk short away off more_than out_of in_line too_*
    back_{in,to,inside,within,toward,towards}
""")
MIX = Words("target{,s} range{,s} band{,s} limit{,s} polic{y,ies} drift* agreed plan{,ned} mix")
ROOM = Words("target{,s} range{,s} band{,s} polic{y,ies} enough half")
TRADED = Words("""
    buy{,s,ing} bought s{ell,ells,old,elling,ale,ales} purchase{,s,d} add{,ed,ing} cut
    trim{,ed,ing,med,ming} reduc* increas* trad{e,es,ed,ing} top{,ped}_up
""")
# Statements are read as they are said: an amount is "¤", in percent "¤%".
AMOUNT = Wording(
    r"¤|\b(?:nil|zero|none|nothing|free)\b|\bno (?:\w+ ){0,2}(?:tax|cost|charge|fee|bill|amount)\w*"
)
COSTS = Words("cost{,s} costing commission{,s} spread{,s} fee{,s} charge{,s} expense{,s}")
SPENT = Wording(r"\b(?:trading|dealing)(?: (?!was worth)\w+){0,3} ¤|\bbrokerage\b")
TAX = Words("tax{,es,ation,man} fiscal")
NOT_THE_TAX = Wording(  # the gain that is taxed, and the rate
    r"\b(?:gains?|profits?|loss(?:es)?)(?: \([^)]*\))? (?:(?!tax)\w+ ){0,3}¤%?"
    r"|¤%? (?:of )?(?:(?!tax)\w+ ){0,3}(?:gains?|profits?|loss(?:es)?)\b|\brates?(?: \w+){0,2} ¤%"
    r"|¤% (?:\w+ ){0,2}rates?\b|\btaxed at (?:\w+ )?¤%"
)
COSTS_NO_TAX = Wording(r"\bcosts? (?:you )?(?:no|any|more|less|extra) tax\b")
PART = Wording(r"[;,:]|\b(?:and|but|while|whereas|plus)\b")
RESPECTIVELY = Wording(r"¤.*¤.*\brespectively\b")
TOGETHER = Words("""
    includ* inclusive together combined all-in all_in all_told altogether in_{all,total,sum} sum
""")
ADDED = Words("{with,plus,adding,counting}_{,the_}{tax,taxes,cost,costs}")
TAKES_UP = Wording(
    r"^(?:it|that|this|they|these|in (?:all|total)|altogether|(?:the |my |our |we )?(?:total|sum"
    r"|figure|bill|amount|estimate[ds]?)|about|around|roughly|some|¤)(?!\w)"
)
TAX_OR_GAIN = Words("tax* gain{,s} reali{s,z}ed")
ESTIMATE = Words("""
    estimat* provisional* approximation indicative preliminary projected likely best_guess
    not_{,yet_}final {may,could,might,can}_{,still_}{differ,change,vary,be_different}
    depend{,s}_on {actual,final,exact,precise}_{bill,tax,amount,figure,sum}
    {we,you}_{,should_}expect
""")
MEASURES = {  # of risk; RISK is the sign of any other
    "volatility": Words("""
        volatil* swing{,s} swung fluctuat* ups_and_downs bump{y,ier,iness} var{y,ies} wobbl* ride
    """),
    "value at risk": Words("""
        value{-,_}at{-,_}risk var bad{-,_}month worst{-,_}month monthly_loss
    """),
    "drawdown": Words("drawdown{,s} stress cris{e,i}s crash slump severe worst{-,_}case"),
    "tracking error": Words("tracking differ{,s}"),
}
RISK = Words("risk{,s} los{s,ses,e,t} fall{,s} decline{,s}")
SOURCE = Words("""
    share{,s} stock{,s} equit{y,ies} bond{,s} credit {,interest_}rate{,s} currenc*
    exchange_rate{,s} dollar inflation property real_estate reit{,s} gold commodit* concentrat*
    market{,s} price{,s} cash compan{y,ies} borrower{,s} issuer{,s} portfolio
    your_{money,holding,holdings,investment,investments} liquid* model{,s} measure{,s} history
    estimate{,s}
""")
HARM = Words("""
    fall{,s,ing} los{e,es,ing,s,ses} risk{,s,y,ier} drop{,s} expos* swing{,s} hurt* declin*
    vulnerable worse* damag* suffer{,s} volatil* default* down bad crash* tumbl* plung* collaps*
    shock{,s} fluctuat* sharp*
    drawdown uncertain* sensitive eat{,s,en}_{into,away} erod* wrong under_pressure worth_less
""")
CONDITION = Words("""
    if when{,ever} once should trigger{,s,ed} beyond outside above below exceed{,s} more_than
    less_than reach* breach* leave{,s} passes crosses move{,s} drift{,s} rise{,s} fall{,s} any_of
    until next_review review_date either over or_{more,less} at_least
    {lower,upper}_{limit,edge,bound,end} floor
    ceiling minimum maximum
""")
EDGES = Wording(r"\b(?:lower|upper|min|max|low|high|from|to)\b[^;¤]{0,20}¤")
LIMIT = Wording(r"[\d¤]|\b(?:january|february|march|april|may|june|july)\b|\b\w+(?:ber|ust)\b")
LEFT = Wording(
    r"\b(?<!you )(?:did|do|have|has|was|were)(?: not|n't) (?:\w+ )?(?:trade|sell|sold|buy|bought"
    r"|touch|move|change|make|made|use|act|go|reach|replace|close|add|trim|harvest|reali[sz]e"
    r"|done)\w*\b|\b(?:left|leav\w+|let)\b.*\b(?:alone|as|be|where|in place|out|it|them)\b"
    r"|\buntouched\b|\bunchanged\b|\b(?:held|holding) off\b|\bchose not\b|\bdecided (?:not"
    r"|against)\b|\bkept\b|\bno trades? (?:was|were|is|in)\b|\bnot (?:been )?(?:traded|sold|bought"
    r"|done|touched)\b|\bwaited\b|\bskipped\b|\bstayed\b|\bpassed over\b|\bavoided\b"
    r"|\bstopped short\b|\bno action\b|\bwe left\b|\bnothing (?:was|has been) (?:done|sold|bought"
    r"|traded)\b|\b(?:refrained|abstained|retained|withheld|remain\w* (?:as|where)|held back"
    r"|forbore|forwent|forgone|untraded|unsold|undisturbed|sat out|stood pat|hands off)\b"
    r"|\bno (?:dealings?|purchases?|sales?)\b|\bnot (?:deal|dealt)\b|\b(?:needed|required"
    r"|called for|asks for) no\b|\btrade\w*(?: \([^)]*\))? (?:none|nil|no|not?|untouched|-|–"
    r"|—)(?!\w)"
)
CLOSE = Wording(r"\b(?:close|near|inside|within|less than|not far|small)\b")
REASON = Wording(
    r"\b(?:because|since|as|so|within|inside|would|too small|in order to|rather than|reason|below"
    r"|to (?:avoid|save|keep|spare|limit|stay)|for (?:now|tax)|not (?:worth|needed|necessary)"
    r"|well in|close (?:enough )?to|need(?:s|ed)?|does not)\b|:"
)
SECOND_PERSON = Words("you your yours")
NAMES = {  # what people call the sleeves, beside their names in results.json
    "us_large_cap": "large{-,_}{,us_,american_}{cap,compan} us_{shares,stocks} american",
    "us_small_cap": "small{,er}{-,_}{,us_,american_}{cap,compan}",
    "intl_developed": "international foreign overseas developed",
    "emerging_markets": "emerging",
    "ig_bonds": "investment{-,_}grade corporate_bond{,s}",
    "treasuries": "treasur government_bond{,s}",
    "tips": "inflation{-,_}{linked,protected} tips",
    "real_estate": "real{-,_}estate property reit{,s}",
    "gold": "gold",
}


def explains_why(candidate: Candidate, facts: Mapping[str, Any]) -> Finding:
    """The first section says what had departed from the agreed mix, and what was traded."""
    pieces = [p for p in under(statements(candidate), WHAT) if p.words >= 5]
    departed = first(alone(pieces), MIX, DEPARTED)
    made = [p for p in pieces if not LEFT(p.said)]
    traded = first(alone(made), TRADED, AMOUNT) or first(alone(made), TRADED)
    return _both(
        departed,
        traded,
        "it says what had departed from the agreed mix, and what was traded",
        "it does not say which departure from the agreed mix made the trades necessary",
    )


def names_largest_moves(candidate: Candidate, facts: Mapping[str, Any]) -> Finding:
    """The largest sale and the largest purchase, each by name beside a word for trading.

    A memo may also tell what each holding did and then that "the three bond funds" were sold: in
    the section on what changed, the name and the trade need not share a statement.
    """
    pieces = statements(candidate)
    told = under(pieces, WHAT)
    evidence: list[str] = []
    for side in ("sell", "buy"):
        trades = [trade for trade in facts["trades"] if trade["side"] == side]
        largest = max(trades, key=lambda trade: abs(trade["amount_usd"]), default=None)
        if largest is None:
            continue
        called = _called(largest)
        quotes = first(alone(pieces), called, TRADED) or first(pairs(pieces), called, TRADED)
        if not quotes and (traded := first(alone(told), TRADED, AMOUNT)):
            named = first(alone(told), called)
            quotes = named and (*named, *traded)
        if not quotes:
            return Finding(False, f"the largest {side}, {largest['name']}, is not named", ())
        evidence += quotes
    return Finding(True, "the largest sale and purchase are named", tuple(dict.fromkeys(evidence)))


def cost_and_tax_separate(candidate: Candidate, facts: Mapping[str, Any]) -> Finding:
    """One statement with a cost and an amount, one with tax and an amount (or none due)."""
    here = under(statements(candidate), COST)
    cost, tax = _amounts_of(here)
    return _both(
        cost,
        tax
        or _estimate([p for p in here if not (COSTS(p.said) or TOGETHER(p.said) or ADDED(p.said))]),
        "cost and tax each have a statement and an amount",
        "cost and tax are not both stated, each with its own amount",
    )


def _amounts_of(pieces: list[Piece]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The first quote that gives an amount of the cost, and of the tax.

    A statement that names neither takes up its own heading, or what the last one spoke of: where
    that one gave no amount ("And the tax?"), or where its own beginning points back.
    """
    found: dict[str, tuple[str, ...]] = {}
    last: set[str] = set()
    waiting = False  # for the amount of what was named last
    for piece in pieces:
        spoken = _subjects(piece.said)
        if not spoken:
            above = _subjects(piece.headings[-1]) if piece.headings else set()
            carried = last if waiting or TAKES_UP(piece.said) else set()
            spoken = above if len(above) == 1 else carried
        last = spoken or last
        waiting = bool(spoken) and not AMOUNT(piece.said)
        given = _apart(piece.said) or {
            subject
            for subject in spoken
            if len(spoken) == 1 and _has_amount(subject, piece.said) and not ADDED(piece.said)
        }
        for subject in given - found.keys():
            found[subject] = (piece.quote,)
    return found.get("cost", ()), found.get("tax", ())


def _subjects(text: str) -> set[str]:
    text = COSTS_NO_TAX.compiled.sub("tax", text)
    tax = TAX(text)
    cost = COSTS(text) or (not tax and SPENT(text))
    return {name for name, named in (("cost", cost), ("tax", tax)) if named}


def _apart(said: str) -> set[str]:
    """Cost and tax, if parts of one sentence give an amount for each of them."""
    if TOGETHER(said) and said.count("¤") < 3:
        return set()
    told = {
        subject
        for part in PART.compiled.split(said)
        for subject in _subjects(part)
        if len(_subjects(part)) == 1 and _has_amount(subject, part)
    }
    return {"cost", "tax"} if len(told) == 2 or RESPECTIVELY(said) else set()


def _has_amount(subject: str, said: str) -> bool:
    return AMOUNT(NOT_THE_TAX.compiled.sub("", said) if subject == "tax" else said)


def tax_is_estimate(candidate: Candidate, facts: Mapping[str, Any]) -> Finding:
    """A sentence or row that calls the tax an estimate, or two neighbours in its section."""
    pieces = statements(candidate)
    return _one(
        first(alone(pieces), TAX, ESTIMATE)
        or first(pairs(under(pieces, COST)), TAX, ESTIMATE)
        or _estimate(under(pieces, COST)),
        "the tax is called an estimate",
        "nothing says that the tax figure is an estimate",
    )


def _estimate(pieces: list[Piece]) -> tuple[str, ...]:
    """ "Tax is another matter. … My estimate is $8,240.": the tax named, its estimate apart."""
    named, amount = first(alone(pieces), TAX), first(alone(pieces), ESTIMATE, AMOUNT)
    return (*named, *amount) if named and amount else ()


def risk_before_and_after(candidate: Candidate, facts: Mapping[str, Any]) -> Finding:
    """A measure of risk with two figures, then and now."""
    pieces = [
        *(p for p in statements(candidate) if not TAX_OR_GAIN(p.said)),
        *candidate.columns,
    ]
    here = [p for p in pieces if any(RISKS in above for above in p.headings)]
    return _one(
        told_twice(here, MEASURES, RISK) or told_twice(pieces, MEASURES, RISK),
        "a measure of risk is given before and after",
        "no measure of risk is given both before and after",
    )


def remaining_risks(candidate: Candidate, facts: Mapping[str, Any]) -> Finding:
    """Two or more statements on what could still go wrong."""
    found = [
        p.quote
        for p in under(statements(candidate), RISKS)
        if p.words >= 5 and SOURCE(p.text) and HARM(p.text)
    ]
    return _one(
        tuple(found[:3]) if len(found) >= 2 else (),
        f"{len(found)} statements say where losses could come from",
        "fewer than two statements say where losses could come from",
    )


def trigger_concrete(candidate: Candidate, facts: Mapping[str, Any]) -> Finding:
    """A condition with a figure or date, and the thing that it applies to."""
    pieces = [p for p in under(statements(candidate), NEXT) if len(p.said.split()) >= 3]
    return _one(
        first(alone(pieces), CONDITION, LIMIT) or first(alone(pieces), EDGES),
        "a trigger can be checked",
        "no trigger names a limit, range or date to check",
    )


def explains_restraint(candidate: Candidate, facts: Mapping[str, Any]) -> Finding:
    """Something left alone, with its reason in the same or the next sentence."""
    pieces = [p for p in statements(candidate) if len(p.said.split()) >= 4]
    return _one(
        first(alone(pieces), LEFT, REASON)
        or first(pairs(pieces), LEFT, REASON)
        or _left_in_a_table(pieces),
        "what was left alone is said, with a reason",
        "nothing says what was left alone, and why",
    )


def _left_in_a_table(pieces: list[Piece]) -> tuple[str, ...]:
    """A row without a trade, and below its heading a statement on how close to target it was."""
    left = next((p for p in pieces if p.kind == "row" and LEFT(p.said)), None)
    if left is None:
        return ()
    why = first(alone(p for p in pieces if p.headings == left.headings), ROOM, CLOSE)
    return (left.quote, *why) if why else ()


def plain_language(candidate: Candidate, facts: Mapping[str, Any]) -> Finding:
    """Sentences of at most 28 words on average and 65 at most, and jargon explained beside it."""
    pieces = statements(candidate)
    prose = [p for p in pieces if p.kind == "prose" and p.words >= 4]
    if not prose:
        return Finding(False, "there is no prose", ())
    if longest := too_long(prose, MEAN_WORDS, MOST_WORDS):
        return Finding(False, "the sentences are too long", (longest.quote,))
    used = terms(pieces)
    bare = [term for term, explained in used.items() if not explained]
    if len(bare) > UNEXPLAINED:
        return Finding(False, f"not explained: {', '.join(bare)}", ())
    quotes = dict.fromkeys([prose[0].quote, *(quote for found in used.values() for quote in found)])
    return Finding(True, "moderate sentences, terms explained", tuple(quotes))


def addressed_to_client(candidate: Candidate, facts: Mapping[str, Any]) -> Finding:
    """A sentence or heading that says "you" or "your", or the client's name."""
    name = plain(str(facts.get("client", {}).get("name", "")))
    spoken = [
        p.quote
        for p in candidate.pieces
        if SECOND_PERSON(p.text) or (name and name.split()[-1] in p.text)
    ]
    return _one(tuple(spoken[:2]), "it speaks to the client", "it does not speak to the client")


def market_forecast(candidate: Candidate, facts: Mapping[str, Any]) -> Finding:
    """Triggered by any sentence, list item or table row that predicts."""
    if found := forecasts(candidate):
        return Finding(False, "it says where markets or returns are heading", found)
    return Finding(True, "nothing says where markets or returns are heading", ())


def individual_advice(candidate: Candidate, facts: Mapping[str, Any]) -> Finding:
    """Triggered by any sentence that advises beyond what the policy statement covers."""
    if found := advice(candidate):
        return Finding(False, "it advises the client beyond the policy statement", found)
    return Finding(True, "nothing advises the client beyond the policy statement", ())


def _one(evidence: tuple[str, ...], met: str, unmet: str) -> Finding:
    return Finding(bool(evidence), met if evidence else unmet, evidence)


def _both(one: tuple[str, ...], other: tuple[str, ...], met: str, unmet: str) -> Finding:
    return _one(tuple(dict.fromkeys(one + other)) if one and other else (), met, unmet)


def _called(trade: Mapping[str, Any]) -> Wording:
    """The names by which a memo may call what was traded."""
    known = [re.escape(plain(str(trade[key]))) for key in ("name", "ticker", "fund")]
    if trade["sleeve"] in NAMES:
        known.append(Words(NAMES[trade["sleeve"]]).pattern)
    return Wording(rf"\b(?:{'|'.join(known)})")
