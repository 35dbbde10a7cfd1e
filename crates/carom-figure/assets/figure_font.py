"""Makes figure-regular.ttf and figure-semibold.ttf: subsets of Source Sans 3 (npm package source-sans 3.52.0).

    npm pack source-sans && tar xzf source-sans-*.tgz
    python3 figure_font.py package/TTF        # needs fonttools

Latin, Greek, Cyrillic and signs of formulas are kept, hinting and layout tables are not. The family is renamed,
because the licence (figure-font-licence.txt) reserves its name for unchanged fonts.
"""

import sys

from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTFont

RANGES = [(0x20, 0x7F), (0xA0, 0x250), (0x370, 0x530), (0x1E00, 0x1F00)]
LETTERS = {letter for first, end in RANGES for letter in range(first, end)}
SIGNS = "–—‘’“”…′″−·×÷±≤≥≈≠≡∑√∞∂∆∏∫°→←↑↓↔•◦½¼¾‰€⁻⁺⁼⁰¹²³⁴⁵⁶⁷⁸⁹₀₁₂₃₄₅₆₇₈₉₊₋"
FAMILY = "Carom Figure Sans"


def make(source, style, target):
    font = TTFont(f"{source}/SourceSans3-{style}.ttf", recalcTimestamp=False)
    options = Options(layout_features=[], hinting=False, name_IDs=["*"], notdef_outline=True)
    subsetter = Subsetter(options)
    subsetter.populate(unicodes=LETTERS | {ord(c) for c in SIGNS})
    subsetter.subset(font)
    for record in list(font["name"].names):
        if record.nameID in (1, 16):
            record.string = FAMILY
        elif record.nameID in (3, 4):
            record.string = f"{FAMILY} {style}"
        elif record.nameID == 6:
            record.string = f"{FAMILY.replace(' ', '')}-{style}"
        elif record.nameID not in (0, 2, 5, 13, 14, 17):
            font["name"].names.remove(record)
    for table in ("DSIG", "GDEF", "GPOS", "GSUB", "BASE", "STAT", "gasp", "meta"):
        if table in font:
            del font[table]
    font["head"].modified = font["head"].created
    font.save(target)


if __name__ == "__main__":
    for style in ("Regular", "Semibold"):
        make(sys.argv[1], style, f"figure-{style.lower()}.ttf")
