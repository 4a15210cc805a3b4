# Vendored: edit metrics/_shared/_unicode_scripts.py and run `make vendor`.
"""Scripts that are written without spaces between words, as ranges for a regular expression's character class.

Python's standard library does not provide the script property. The ranges are the blocks of Unicode's Scripts.txt
(https://www.unicode.org/Public/UCD/latest/ucd/Scripts.txt) whose line breaking needs a dictionary or breaks anywhere
(classes SA and ID of https://www.unicode.org/reports/tr14/), except Hangul, since Korean is written with spaces.
"""

import sys
import unicodedata

NO_SPACE_SCRIPTS = (
    "\u0e00-\u0eff"  # Thai, Lao
    "\u0f00-\u0fff"  # Tibetan, whose word separator is a punctuation mark
    "\u1000-\u109f\ua9e0-\ua9ff\uaa60-\uaa7f"  # Myanmar
    "\u1780-\u17ff"  # Khmer
    "\u1950-\u19df\u1a20-\u1aaf\uaa80-\uaadf"  # Tai Le, New Tai Lue, Tai Tham, Tai Viet
    "\u1b00-\u1b7f\ua980-\ua9df"  # Balinese, Javanese
    "\u2e80-\u2fdf\u3005-\u3007\u3021-\u3029\u3038-\u303b"  # Han radicals, iteration marks, numerals
    "\u3040-\u312f\u31a0-\u31bf\u31f0-\u31ff\uff66-\uff9f"  # Hiragana, Katakana, Bopomofo
    "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"  # Han
    "\U0001b000-\U0001b16f\U00020000-\U0003ffff"  # Kana supplements, Han extensions
)


def mark_ranges() -> list[tuple[int, int]]:
    """List the code point ranges of marks (category M); a class of ranges matches faster than one of characters."""
    ranges: list[tuple[int, int]] = []
    for code in range(sys.maxunicode + 1):
        if unicodedata.category(chr(code))[0] == "M":
            first = ranges.pop()[0] if ranges and ranges[-1][1] == code - 1 else code
            ranges.append((first, code))
    return ranges
