"""Phrases that announce a view of markets: an outlook, a turn, a tailwind, an idiom for "up"."""

from __future__ import annotations

from pae_verifiers.judge.wording import Wording, Words


def announces(clause: str) -> bool:
    """Whether a phrase of the clause announces a view; text as ``prose.plain`` gives it."""
    if _OF_THE_BILL(clause):
        return False
    return any(view(clause) for view in _VIEWS) or (_ROOM(clause) and not _OF_THE_WEIGHT(clause))


_OF_THE_BILL = Words("tax* cost* not")
_ROOM = Words("room_to_{run,grow,rise} further_to_{run,climb,go,fall,rise}")
_OF_THE_WEIGHT = Words("""
    band{,s} range{,s} limit{,s} target{,s} weight{,s} trade{,s} trigger* point{,s} percent pp
    rebalanc* review{,s}
""")
_FRAME = Words("""
    outlook base_case house_view market_view forecast{,s} prediction{,s} projection{,s}
""")
_MOOD = Words("""
    bullish bearish optimistic upbeat constructive pessimistic sanguine positive hopeful
""")
_QUALITY = Words("""
    bright{,er} better good strong{,er} difficult rough{,er} tough{,er} hard{,er} bumpy bumpier
    choppy choppier turbulent lean happy happier kind{,er}
    gentler calmer
""")
_TURN = Words("""
    rally rebound recovery recession crash correction downturn upturn bull_run boom comeback
    pullback bounce setback sell-off selloff slump slowdown {rate,interest-rate}_{cut,rise}{,s}
    higher_{prices,rates,yields} lower_{prices,rates,yields} {bear,bull}_market
""")
_GOING = Words("""
    return{,s} gain{,s} growth prices markets trading rally rebound recovery recession crash
    correction downturn upturn comeback bounce
""")
_PERIOD = (
    r"(?:(?:next|coming) (?:\w+ )?(?:year|quarter|month|decade)s?|the second half|the (?:years?"
    r"|months) (?:ahead|to come))"
)
_VIEWS = (
    Words("""
        {new,next}_{bull,bear}_market
        {more,further,plenty_of,significant,considerable,see,the}_upside
        upside_{potential,ahead,from_here} soft_landing {tail,head}wind{,s}_{for,ahead,will,should}*
        {tail,head}wind{,s}_{remain,are}*
        {face,faces,facing,enjoy,enjoys}_{,strong_}{tail,head}wind*
        the_worst_{is,seems,appears} tide_{is,has}_turn* next_leg_{up,higher,down}
        coming_{week,month,quarter,year}{,s}_{look,seem,promise}{,s} good_{year,quarter}_for_
        path_of_least_resistance our_{base,central,main,core}_{case,scenario} trend_is_your_friend
        stars_are_aligned {wind,winds}_{at,behind,in}_{their,its,your,our}_{back,backs,sails}
        turned_{the,a}_corner {has,have,with}_legs long_way_to_{run,climb,fall} more_to_come_from
        nowhere_to_go can_only_{rise,fall,climb,improve,go_up,go_down,get_better}
        the_{bottom,low,lows}_{is,are}_{in,near,behind_us} {up,down,higher,lower}_from_here
        this_time_{will,should}_be bode{,s}_{well,ill,badly} the_only_way_is_{up,down}
        good_time{,s}_ahead best_is_yet_to_come turning_{the,a}_corner best_days_{are,lie}*
        pricing_in
        feel_{good,positive,confident}_about {set,sets}_you_up_for {run,runs}_its_course
        on_the_way_{up,back_up} on_the_mend {return,returns,back}_to_{their,its}_highs
        look_forward_to_{falling,rising,lower,higher,better,stronger}
        good_news_for_{bond,share,stock,equit,gold,property,investors}* more_of_the_same
        {loss,losses,gain,gains}_to_come catching_up_to_do
    """),
    Wording(
        rf"\b{_FRAME.pattern}\b.{{0,60}}?\b(?:is|are|remains?|looks?|calls? for|points? to|sees?"
        r"|favou?rs?|stays?|suggests?)\b",
        _FRAME,
    ),
    Wording(rf"\b{_MOOD.pattern} (?:on|about|that)\b", _MOOD),
    Wording(
        r"\b(?:confident|hopeful|certain|sure) (?:in|of|about) (?:an?|the|further|more) (?:\w+ )?"
        rf"{_GOING.pattern}\b",
        *(Words("confident hopeful certain sure"), _GOING),
    ),
    Wording(
        rf"\b{_QUALITY.pattern} (?:(?:days?|times?|years?|months?|quarters?|patch|road|ride"
        rf"|returns?"
        r"|gains?|performance)\b.{0,25}\b(?:ahead|lies?|to come|coming|await|beckons?|in store)"
        r"|prospects)\b",
        _QUALITY,
        Words("ahead lie{,s} to_come coming await beckon{,s} in_store prospects"),
    ),
    Wording(
        r"\bprospects (?:for|of)\b.{0,40}\b(?:is|are|looks?|remains?|seems?)\b",
        Words("prospects"),
    ),
    Wording(
        rf"\b{_PERIOD} (?:(?:looks?|seems?|promises?) |(?:will|should) (?:favou?r|reward|belong)\b"
        rf"|(?:will|should) be (?:an? )?(?:\w+ )?{_QUALITY.pattern}\b)",
        *(
            Words("next coming second_half ahead to_come"),
            Words("look{,s} seem{,s} promise{,s} will should"),
        ),
    ),
    Wording(
        rf"\b{_TURN.pattern}\b.{{0,12}}\b(?:is|are|looks?|seems?)(?: \w+){{0,2}} (?:coming|around"
        r" the corner|on the (?:way|horizon|cards)|in the (?:offing|pipeline)|under way"
        r"|(?:over)?due|imminent|inevitable|over|looming|brewing|near|likely|unlikely|ahead)\b",
        *(_TURN, Words("is are look{,s} seem{,s}")),
    ),
    Wording(
        rf"\b(?:over)?due (?:for )?(?:an?|another) (?:\w+ )?(?:{_TURN.pattern}|fall|rise|drop"
        r"|breather)\b",
        Words("due overdue"),
    ),
    Wording(
        r"\b(?:yields?|rates?|inflation|prices?|markets?|stocks?|shares?|bonds?|gold|the dollar"
        r"|equities|property|technology|volatility) (?:has|have) (?:\w+ )?(?:peaked|bottomed"
        r"|troughed|topped out|hit bottom)\b",
        Words("peaked bottomed troughed topped_out hit_bottom"),
    ),
    Wording(
        r"\b(?:momentum|valuations?|fundamentals|backdrop|sentiment|the (?:cycle|trend)) (?:\w+ly "
        r"|still |now )?(?:favou?rs?|supports?|points?|argues?|suggests?|looks?|remains?|is|are)\b",
        Words("momentum valuation{,s} fundamentals backdrop sentiment cycle trend"),
    ),
    Wording(
        r"\b(?:expect\w*|anticipat\w+|likely|projected|target|look for\w*|count on|should"
        r"|will)\b[^.;]{0,40}\b(?:returns?|gains?|growth) of (?:about |around |roughly |some "
        r"|at least |up to )?[$£€]?\d",
        Words("{return,returns,gain,gains,growth}_of"),
    ),
    Wording(
        r"\b(?:expect\w*|anticipat\w+|foresee\w*|predict\w*|look for"
        r"|see) (?:[\w-]+ ){0,2}?(?:strong(?:er)?|higher|better|lower|weak(?:er)?|positive"
        r"|negative|solid|modest|good|poor|choppy|choppier|turbulent|volatile"
        r"|[\w-]+-digit) (?:\w+ )?(?:returns?|gains?|growth|prices|markets|trading)\b",
        *(Words("expect* anticipat* foresee* predict* look_for see"), _GOING),
    ),
    Wording(
        r"\bexpect (?:you|it|them|(?:the|your) \w+) to (?:earn|make|return|yield"
        r"|deliver) (?:about |around |roughly |some |at least )?[$£€]?\d"
        r"|\bworst of (?:the )?(?:\w+ ){1,3}(?:is|are|seems|looks) (?:over|behind|past)\b|\b(?:is"
        r"|are) in for (?:an?|some|more)\b",
        Words("expect worst_of in_for"),
    ),
    Wording(
        r"\bposition\w*\b.{0,30}\bfor (?:an? )?(?:higher|lower|falling|rising|stronger|weaker"
        r"|recovery|rebound|rally|upturn)\b",
        Words("position{,s,ed,ing}"),
    ),
    Wording(
        r"\b(?:will|should) (?:give|bring|make) you (?:about |around |some |at least )?\d[\d.]*%"
        r"|\b(?:will|should|'ll|going to) (?:earn|yield|return) (?:you )?(?:more|better|higher"
        r"|about|around|roughly|some|at least|[$£€]?\d)|\b(?:expect|look forward to"
        r"|count on) (?:about |around |roughly |some |at least )?\d[\d.]*% (?:a|per) year\b",
        Words("will should 'll going expect look_forward count_on"),
    ),
    Wording(
        r"\byou(?:'ll| will| should) (?:\w+ )?(?:profit|benefit|gain|be rewarded)\b",
        Words("profit benefit gain be_rewarded"),
    ),
    Wording(
        r"\bloss(?:es)? (?:will|should) (?:soon |quickly )?be (?:made up|made good|recovered"
        r"|regained|recouped)\b",
        Words("made_{up,good} recovered regained recouped"),
    ),
)
