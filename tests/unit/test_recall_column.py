"""Token recall of columns: the same share and decision for every pair as `recall`, which judges them one by one."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metrics.accuracy._recall import recall
from metrics.accuracy._recall_column import recall_column
from metrics.accuracy._recall_tokens import tokenize
from metrics.accuracy._recall_vocabulary import Vocabulary
from tests.unit.traps import TRAPS

PHRASES = [
    *(text for trap in TRAPS for text in (trap.reference, trap.prediction)),
    "the second book", "third", "1,000 km", "5%", "97.53 km", "in 2014-15", "the 90s", "a cat", "Barack Obama,", "U.S.",
    "is not", "either", "one", "IV", "McDonald", "Café", "東京", "x", "50", "million", "NFL", "Ben",
    "half", "and a half", "a dozen", "two thirds", "1/2", "an hour", "60 minutes", "km/h", "12/08/1990", "or", "3-2",
    "C++", "C", "CO2", "CO", "Rocky", "Rocky II", "Part II", "Toy Story", "King", "3", "Java",
    "JavaScript", "yes", "no", "president", "vice", "RNA", "mRNA", "1800s", "19th century",
    "nicht Rom,", "sondern Bonn", "değil,", "**Obama**", "**12 moons**", '"Barack"', "(51 miles)", "(1997)", "82 km",
    "51 miles", "about 11 km", "10,935 m", "a quarter", "25%", "sept", "8.12.1990", "2019年9月6日", "Ekim", "100 °C",
    "F", "Rom, Bonn, or Wien", "do not", "red", "white cells", "married", "maybe", "Mr.", "Jr.",
]  # fmt: skip


@given(
    st.lists(st.sampled_from(PHRASES), min_size=1, max_size=3).map(" ".join),
    st.lists(st.sampled_from(PHRASES), max_size=4).map(" ".join),
    st.none() | st.sampled_from(PHRASES),
    st.sampled_from([0.0, 0.5, 1.0]),
    st.sampled_from(["en", "none"]),
)
def test_column_gives_what_each_pair_gives(
    reference: str, prediction: str, question: str | None, threshold: float, language: str
) -> None:
    whole = recall(reference, prediction, question=question, threshold=threshold, language=language)
    questions = None if question is None else [question]
    rights, shares = recall_column(
        [prediction], [[reference]], questions=questions, threshold=threshold, language=language
    )
    assert (rights, shares) == ([whole.right], [whole.share])


@pytest.mark.parametrize(
    ("reference", "prediction"),
    [
        ("entry level to level 7", "It is the entry level, which is level 8"),
        ("counterclockwise", "It turns counter-clockwise."),
        ("Samudragupta", "It was Samudra Gupta."),
        ("southern river", "It is the southern river."),
        ("southern river", "It is the northern river of the southern part."),
        ("castle", "many sources"),
        ("people of 23,624 people and many years", "57 people"),
        ("aluminium", "it is aluminum"),
        ("meter", "one metre"),
        ("canadian", "in Canada"),
        ("March", "in Mar 2019"),
        ("Benjamin Netanyahu", "Ben Netanyahu won."),
        ("William Murray", "It was Bill Murray."),
        ("John Stuart Mill", "It was J.S. Mill."),
        ("great Lake Oahe", "A great lake is near Bismarck."),
        ("National Football League", "the NFL"),
        ("Virginia Qux", "It is West Virginia."),
        ("10 million", "10  million"),
        ("million Booster", "a booster"),
        ("the first man", "the 1st man"),
        ("5 km", "5 km 6"),
        ("$5", "about €5"),
        ("in 1992", "in 19921."),
        ("no", "It is not."),
        ("sunflower oil", "sun flower oil"),
        ("the sun flower", "a sunflower"),
        ("5", "It is 5 and a half."),
        ("hundred", "a hundred"),
        ("half", "It is half of the cake."),
        ("third", "a third of it"),
        ("60 minutes long", "It is an hour long."),
        ("Toy Story", "It is Toy Story 3."),
        ("Toy Story", "It is Toy Story Part II."),
        ("Java", "It is JavaScript."),
        ("Miguel de Cervantes", "Miguel Cervantes"),
        ("New York Yankees", "the Yankees"),
        ("3-2", "It ended 2-3."),
        ("in 12/08/1990", "on 8 December 1990"),
        ("5 km", "Paris or 5 km"),
        ("president", "the vice president"),
        ("yes", "No, yes."),
        ("Paris Shakespeare 6th of September 2019", "Paris in May"),
        ("rna", "an mRNA"),
        ("19th century", "in the 1800s"),
        ("the grand museum of Rome", "It is a museum in Rome."),
        ("the grand 東京", "It is 東京."),
        ("the ancient museum of Rome", "It is the modern museum of Rome."),
        ("the indirect route to Rome", "It is the direct route to Rome."),
        ("the last museum of Rome", "It is the first museum of Rome."),
        ("red museum of Rome", "It is the blue museum of Rome."),
        ("museum and castle of Rome", "It is the museum of Rome."),
        ("brother in law of Caesar", "The brother of Caesar is in Rome."),
        ("museum without doors", "a museum of doors"),
        ("Mr. founder", "It is Mr. Brown."),
        ("founder Jr. Smith", "It is Smith."),
        ("Æ castle", "It is a castle."),
        ("5 km", "It is 2 km."),
        ("5 km", "It is 5,000 m or 2 km."),
        ("5 km", "It is 2 miles and five thousand m."),
        ("60 minutes", "It is 2 minutes or an hour."),
        ("5 dollars", "It is 500 cents."),
        ("$5", "It is 500 cents."),
        ("348,450 people", "Some 348,000 people live there."),
        ("Wolfgang Amadeus Mozart", "It is by Mozart."),
        ("Toronto, Ontario, Canada", "It is in Toronto."),
        ("San Juan, Orange County, Upper California, Mexico", "It is in San Juan."),
        ("George Washington", "It was George Bush, who lived in the city of Washington."),
        ("George of Washington", "It was George Bush, who lived in the city of Washington."),
        ("copper, tin, zinc", "It is made of copper and zinc."),
        ("Kansas", "It is in Kansas City."),
        ("Mexico City", "Mexico"),
        ("father", "It was his father-in-law."),
        ("skin", "It is larger than the skin."),
        ("skin", "It is confused with skin."),
        ("skin", "People believe that it is skin, but no."),
        ("skin", "People believe that it is skin, but hair is better."),
        ("skin", "Anything but skin."),
        ("skin", "Skin is wrong."),
        ("twice", "It was done two times."),
        ("Rome", "nicht Rome, sondern Paris"),
        ("10 December 1990", "1990年9月10日"),
        ("8.12.1990", "8 Aralık 1990"),
        ("7 people", "sept people"),
        ("sept castles", "castles"),
        ("82 km", "It is 51 miles long."),
        ("62 mph", "100 kph"),
        ("100 kilometers per hour", "62 miles per hour"),
        ("10,935 m", "nearly 11 km"),
        ("5.9736 kg", "5,974 g"),
        ("5 tons of gold", "5 tonnes of gold"),
        ("25%", "a quarter"),
        ("Rome (built in 1997)", "Rome"),
        ("Barack Hussein Obama", 'Barack "Barry" Obama'),
        ("Sir Winston Leonard Spencer Churchill", "It was Churchill."),
    ],
)
@pytest.mark.parametrize("threshold", [0.5, 1.0])
def test_column_judges_what_is_no_matter_of_words_alone_as_the_pair_does(
    reference: str, prediction: str, threshold: float
) -> None:
    whole = recall(reference, prediction, threshold=threshold)
    assert recall_column([prediction], [[reference]], threshold=threshold) == ([whole.right], [whole.share])


@pytest.mark.parametrize(
    ("reference", "prediction", "question"),
    [
        ("Cusco castle", "**Lima**, near Cusco, is its castle.", "what was it"),
        ("Fyodor Dostoevsky", "Dostoevsky is.", "Tolstoy or Dostoevsky?"),
        ("Fyodor Dostoevsky", "Dostoevsky is.", "Wer, Tolstoi oder Dostoevsky?"),
    ],
)
def test_column_judges_by_the_question_as_the_pair_does(reference: str, prediction: str, question: str) -> None:
    whole = recall(reference, prediction, question=question)
    assert recall_column([prediction], [[reference]], questions=[question]) == ([whole.right], [whole.share])


@pytest.mark.parametrize("language", ["en", "none"])
def test_column_leaves_out_other_forms_of_words_of_the_question_in_english_only(language: str) -> None:
    reference, prediction, question = "two parallel planes", "It has two plane surfaces.", "how many plane surfaces"
    whole = recall(reference, prediction, question=question, language=language)
    assert recall_column([prediction], [[reference]], questions=[question], language=language) == (
        [whole.right],
        [whole.share],
    )


TOKENS = st.sampled_from([word for phrase in PHRASES for word in phrase.split()])
SENTENCES = st.lists(TOKENS, max_size=6).map(" ".join)


@given(
    st.lists(st.tuples(SENTENCES, st.lists(SENTENCES, min_size=1, max_size=3), SENTENCES), min_size=1, max_size=6),
    st.booleans(),
    st.sampled_from([0.5, 1.0]),
    st.sampled_from(["en", "none"]),
)
def test_column_gives_the_best_of_several_references_whatever_stands_in_other_rows(
    rows: list[tuple[str, list[str], str]],
    with_questions: bool,  # noqa: FBT001
    threshold: float,
    language: str,
) -> None:
    predictions, references, questions = map(list, zip(*rows, strict=True))
    whole = []
    for prediction, accepted, question in rows:
        judged = [
            recall(
                one, prediction, question=question if with_questions else None, threshold=threshold, language=language
            )
            for one in accepted
        ]
        whole.append(max((one.right, one.share) for one in judged))
    column = recall_column(
        predictions,
        references,
        questions=questions if with_questions else None,
        threshold=threshold,
        language=language,
    )
    assert list(zip(*column, strict=True)) == whole


def test_columns_longer_than_a_batch_are_judged_row_by_row() -> None:
    traps = TRAPS * (10_000 // len(TRAPS))
    rights, shares = recall_column([trap.prediction for trap in traps], [[trap.reference] for trap in traps])
    assert rights == [trap.right for trap in traps]
    assert shares[: len(TRAPS)] == [recall(trap.reference, trap.prediction).share for trap in TRAPS]
    assert shares[-len(TRAPS) :] == shares[: len(TRAPS)]


MARKS = list("aAinstTd 12359.,-'%$éß東京\u00a0\u202f\u2003\x1c\ud800\n½'’²IX\"()")


@given(st.text(st.sampled_from(MARKS), max_size=30))
def test_vocabulary_splits_a_text_into_its_tokens(text: str) -> None:
    vocabulary = Vocabulary(english=False)
    names = [vocabulary.names[key].partition(" ")[0] for key in vocabulary.read([text]).keys.tolist()]
    assert names == [token.key for token in tokenize(text)]


def test_best_of_several_references_decides() -> None:
    assert recall_column(["It is Rome."], [["Paris", "Rome"]]) == ([True], [1.0])
    assert recall_column(["Michelle Obama"], [["Barack Obama", "Angela Merkel"]]) == ([False], [0.5])
