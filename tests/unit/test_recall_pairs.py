"""Pairs that are decided in bulk although words are missing or in another form: share and decision are `recall`'s."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metrics.accuracy import _recall_column
from metrics.accuracy._recall import recall
from metrics.accuracy._recall_column import recall_column

NAMES, DATES, FILLERS = (
    text.split()
    for text in (
        """
        Marie Curie Albert George Bush Michael Jordan Jane Austen Bob Robert Bill William Ann Rome Paris Romans Paul
        Paula York West Virginia Lake Prince King Mr. Brown Gold University Chicago Bank America Part II V. I A NASA Un
        NBA SpiderMan Spider Man O'Neil Çelik 東京 서울 May CEO US Us museum river great city law last red lake the of
        and de $5 5 first second million Million hundred Curies wonderful wonder Jr. It or not like mccay McKay
        """,
        """
        2 April 1969 May March 17 17th 002 007 1,969 999 '90s 1960s 31 32 2019-09-06 12/08/1990 19692 Sept. of in the a
        an and half million two second first third minus 5 5.0 $5 5% km km. miles per hour degrees Celsius C season
        seasons 1/2 10:30 II IV years minutes 60 one hundred dozen 2014-15 3-2 2-3 or (5) [5] 1969[5] kg It
        """,
        "it is was known as that people in this book call many places became old and a . - ...",
    )
)


@st.composite
def pairs(draw: st.DrawFn, words: list[str]) -> tuple[str, str]:
    reference = draw(st.lists(st.sampled_from(words), min_size=1, max_size=4))
    changes = [st.just(one) | st.just(one + "s") | st.just(one.lower()) | st.sampled_from(words) for one in reference]
    kept = [draw(change) for change in changes if draw(st.integers(0, 4))]
    marked = "".join(one + draw(st.sampled_from([" ", " ", " ", " the ", ", ", ". ", "-"])) for one in kept)
    around = st.lists(st.sampled_from(FILLERS + words[:3]), max_size=4).map(" ".join)
    return " ".join(reference), f"{draw(around)} {marked}{draw(around)}"


@given(
    st.lists(pairs(NAMES) | pairs(DATES), min_size=12, max_size=12),
    st.sampled_from([0.3, 0.5]),
    st.sampled_from(["en", "en", "none"]),
)
def test_pairs_of_similar_words_are_decided_as_one_by_one(
    texts: list[tuple[str, str]], threshold: float, language: str
) -> None:
    column = recall_column(
        [prediction for _, prediction in texts],
        [[reference] for reference, _ in texts],
        threshold=threshold,
        language=language,
    )
    whole = [recall(reference, prediction, threshold=threshold, language=language) for reference, prediction in texts]
    assert list(zip(*column, strict=True)) == [(one.right, one.share) for one in whole]


DECIDED = {
    "another form": ("the golden museum of Dublin", "It is the golden museums of Dublin."),
    "another spelling of a name": ("Galileo Tolstoy", "The answer is Gallileo Tolstoy as most know."),
    "another name": ("Barack Obama", "It was Michelle Obama."),
    "a name in part": ("Wilhelm Conrad Röntgen", "It was Wilhelm Röntgen."),
    "the last name only": ("Barack Obama", "It was Obama."),
    "another place": ("University of Chicago", "It is the University of Michigan."),
    "a number without its unit": ("172,410 litres", "It holds 172,410 of them."),
    "an ordinal": ("the first comet of Budapest", "That is the first comets of Budapest."),
    "the year of a date": ("2 April 1969", "It happened in 1969."),
    "another date": ("20 December 1800", "It was on 16 December 1762."),
    "Korean": ("royal 서울", "It is royal 서울 again"),
}


@pytest.mark.parametrize(("reference", "prediction"), DECIDED.values(), ids=DECIDED)
def test_common_pairs_are_decided_in_bulk(reference: str, prediction: str, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = recall(reference, prediction)
    monkeypatch.setattr(_recall_column, "judge", None)
    assert recall_column([prediction], [[reference]]) == ([whole.right], [whole.share])


@pytest.mark.parametrize(
    ("reference", "prediction"),
    [
        ("George Bush", "It was George W. Bush."),
        ("Lyndon Johnson", "It was Andrew B. Johnson."),
        ("Ben Smith", "It was Benjamin Smith."),
        ("Dan Haggerty", "It was Daniel Francis Haggerty."),
        ("Barack Obama", "Barack. Michelle Obama is another."),
        ("Barack Obama", "She is Michelle . Obama is another."),
        ("Barack Obama", "michelle obama"),
        ("Barack Obama", "MICHELLE OBAMA"),
        ("Barack Obama", "Obama and Michelle Obama"),
        ("Barack Obama", "It was Million Obama."),
        ("Barack Obama", "It was five Million Obama."),
        ("Barack Obama", "It was five million Obama."),
        ("Celsius season (5)", "It is the $5 season (5)."),
        ("Bank in of the by America", "It is the Bank by England."),
        ("Barack Obama", "It was US Obama."),
        ("5 Obama", "It was $5 Michelle Obama."),
        ("5 Obama", "It is 5 Michelle."),
        ("Benjamin Obama Jackson Brown", "It was Ben five million Obama."),
        ("Barack Obama", "It was H.B. Obama."),
        ("Barack Castle", "The old Castled is near Michelle Castles."),
        ("Rome and Paris", "It is Rome."),
        ("Mr. Darcy", "He was a Mr. then."),
        ("museum city", "It is an old museum."),
        ("Sammy Lee Davis Jr.", "It was Sammy Lee."),
        ("Bank of America", "It is the Bank of the America of England."),
        ("Bank of the of the America", "It is the Bank of the of the England."),
        ("Mr. Darcy", "It was Mr. Bingley."),
        ("Red Square", "It is Blue Square."),
        ("Java Man", "It was JavaScript, not Java."),
        ("5 km", "It is 5 miles, or 5 others."),
        ("5 km", "It is 5 kilometers an hour."),
        ("5 km", "It is 5 and a half."),
        ("December 25", "It was in one of the Decembers."),
        ("season 5", "5 seasons"),
        ("season 5", "season of 5"),
        ("5 of the", "5 million"),
        ("12 1/2", "dozen 1/2"),
        ("60 May 2", "60 May 002"),
        ("2 April 1969", "2019-09-06 1969"),
        ("2 April 1969", "It was 1969-09-06, that is in 1969."),
        ("2 April 1969", "It was 1,969."),
        ("2 April 1969", "It was 5 May 1969."),
        ("2 April 1969", "It was 2 April."),
        ("2 April 1969", "It was 2 April 1968."),
        ("season per minus first", "that season per"),
        ("東京都 Tower", "It is 京都 Tower."),
        ("서울은 city", "It is the city of 서울은하."),
        ("Toy Stories", "It is Toy Story 3."),
        ("one castle of Rome", "the castles and castled of Rome"),
    ],
)
def test_pairs_with_traps_are_decided_as_one_by_one(reference: str, prediction: str) -> None:
    whole = recall(reference, prediction)
    assert recall_column([prediction], [[reference]]) == ([whole.right], [whole.share])
