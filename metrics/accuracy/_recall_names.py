"""Names in other forms: initials, short forms, abbreviations, acronyms."""

from ._recall_forms import ARTICLES
from ._recall_forms import FUNCTION_WORDS
from ._recall_text import Text
from ._recall_tokens import Token

GENERATIONS = frozenset({"jr", "sr"})
TITLES = frozenset(
    """
    mr mrs ms miss dr prof professor sir dame lord lady king queen prince princess emperor empress tsar president vice
    general captain colonel major lieutenant saint st pope cardinal chief justice senator governor judge minister prime
    chancellor secretary mayor duke duchess count earl baron rev reverend
    """.split()
)
_SHORT_NAMES = """
    bill:william billy:william will:william liam:william bob:robert bobby:robert rob:robert dick:richard rick:richard
    dave:david mike:michael mick:michael jim:james jimmy:james jamie:james jack:john johnny:john joe:joseph joey:joseph
    tony:anthony kate:katherine kate:catherine kathy:katherine katie:katherine liz:elizabeth beth:elizabeth
    betty:elizabeth teddy:theodore
    teddy:edward peggy:margaret maggie:margaret meg:margaret ted:edward ted:theodore ned:edward eddie:edward
    steve:stephen steve:steven chuck:charles charlie:charles harry:henry hank:henry larry:lawrence jerry:gerald
    molly:mary sally:sarah andy:andrew drew:andrew sandy:alexander kit:christopher chris:christopher matt:matthew
    nate:nathan pete:peter ron:ronald ronnie:ronald terry:terence becky:rebecca vicky:victoria sue:susan jenny:jennifer
    льва:лев льву:лев львом:лев льве:лев павла:павел павлу:павел павлом:павел павле:павел
    tom:thomas tommy:thomas danny:daniel benny:benjamin freddie:frederick fred:frederick greg:gregory bert:albert
    mandy:amanda nicky:nicholas patty:patricia don:donald donnie:donald ken:kenneth kenny:kenneth tim:timothy
""".split()
_LONG_NAMES: dict[str, frozenset[str]] = {}
for _short, _long in (pair.split(":") for pair in _SHORT_NAMES):
    _LONG_NAMES[_short] = _LONG_NAMES.get(_short, frozenset({_short})) | {_long}
# What these are added to is another name: Paul and Paula, Daniel and Daniela, John and Johnson.
_OTHER_NAMES = frozenset({"a", "e", "i", "o", "s", "ia", "ina", "ine", "etta", "ette", "son", "sen", "us", "an", "ian"})
_LONGEST_ABBREVIATION = 4
_LONGEST_ACRONYM = 6


def is_acronym(token: Token) -> bool:
    """Say whether a token consists of two or more capitals, with or without periods."""
    letters = token.text.replace(".", "")
    return 1 < len(letters) <= _LONGEST_ACRONYM and letters.isupper() and letters.isalpha()


def is_short_for(one: Token, other: Token) -> bool:
    """Say whether one of two words next to the same name is short for the other.

    An initial ("W." and "Wilson"), initials ("M.S."), the beginning ("Ben" and "Benjamin", "Ave" and "Avenue"), a
    usual short form ("Bill" and "William"), an abbreviation ("Ltd" and "Limited").
    """
    short, long = sorted((one, other), key=lambda token: len(token.key))
    if "." in long.text or "." in short.text:
        dotted, word = (long, short) if "." in long.text else (short, long)
        if word.key[0] in dotted.key and "." not in word.text:
            return True
    if short.key == long.key:
        return False
    if len(short.key) == 1 or long.key.startswith(short.key):
        return long.key.startswith(short.key) and long.key[len(short.key) :] not in _OTHER_NAMES
    names = _LONG_NAMES.get(short.key, frozenset({short.key})) & _LONG_NAMES.get(long.key, frozenset({long.key}))
    if names:
        return True
    if not 1 < len(short.key) < _LONGEST_ABBREVIATION or short.key[0] != long.key[0] or short.key[-1] != long.key[-1]:
        return False
    letters = iter(long.key)
    return len(long.key) > len(short.key) + 1 and all(letter in letters for letter in short.key)


def find_short_forms(wanted: Text, given: Text, content: list[int], found: dict[int, list[int]]) -> None:
    """Find missing words of names as short forms next to a word that is found.

    Args:
        wanted: The reference.
        given: The prediction.
        content: The indices of the reference tokens that count.
        found: The prediction tokens where each of them is found; what is found is added.
    """
    for index in (*content, *reversed(content)):
        word = wanted.tokens[index]
        if found[index] or word.is_number or not word.capital:
            continue
        for side in (-1, 1):
            for place in found.get(index + side, ()):
                # A full middle name may stand between: "Daniel Francis Haggerty" for "Dan Haggerty".
                for distance in (1,) if len(word.key) == 1 else (1, 2):
                    at = place - side * distance
                    if 0 <= at < len(given.tokens):
                        token = given.tokens[at]
                        if token.capital and not token.is_number and is_short_for(word, token):
                            found[index] = [at]
            if found[index]:
                break


def find_acronyms(wanted: Text, given: Text, content: list[int], found: dict[int, list[int]]) -> None:
    """Find "National Football League" in "NFL", and "USA" in "United States of America"; arguments as above."""
    for run in abbreviated_runs(wanted):
        initials = "".join(wanted.tokens[index].key[0] for index in run)
        places = [place for place in given.places.get(initials, ()) if is_acronym(given.tokens[place])]
        for index in run if places else ():
            if index in found and not found[index]:
                found[index] = places
    acronyms = [index for index in content if not found[index] and is_acronym(wanted.tokens[index])]
    for skipped in (ARTICLES, FUNCTION_WORDS) if acronyms else ():
        places = [place for place, token in enumerate(given.tokens) if token.key not in skipped and not token.is_number]
        initials = "".join(given.tokens[place].key[0] if given.tokens[place].capital else " " for place in places)
        firsts: dict[int, dict[str, int]] = {}
        for index in acronyms:
            key = wanted.tokens[index].key
            if len(key) not in firsts:
                firsts[len(key)] = _first_places(initials, len(key))
            if not found[index] and key in firsts[len(key)]:
                at = firsts[len(key)][key]
                found[index] = places[at : at + len(key)]


def abbreviated_runs(text: Text) -> list[list[int]]:
    """List the runs of words that an acronym may stand for: names, and their words before the first function word."""
    return [part for run in name_runs(text) for part in (run, _until_gap(run))]


def _until_gap(run: list[int]) -> list[int]:
    """Return the words of a name before its first function word: "United States" of "United States of America"."""
    gap = next((at for at in range(1, len(run)) if run[at] != run[at - 1] + 1), len(run))
    return run[:gap] if gap > 1 else run


def _first_places(text: str, length: int) -> dict[str, int]:
    """Map each substring of a length to its first index, as `text.find` does, for all in linear time."""
    return {text[at : at + length]: at for at in range(len(text) - length, -1, -1)}


def name_runs(text: Text) -> list[list[int]]:
    """List the runs of at least two capitalized words; function words inside do not split them."""
    runs: list[list[int]] = []
    run: list[int] = []
    for index, token in enumerate(text.tokens):
        if token.capital and not token.is_number and token.key not in ARTICLES:
            run.append(index)
        elif not (run and token.key in FUNCTION_WORDS):
            runs.append(run)
            run = []
    return [run for run in (*runs, run) if len(run) > 1]
