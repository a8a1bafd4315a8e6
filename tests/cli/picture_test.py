"""Pictures of every kind are well-formed, and no two texts of theirs overlap, at full size and at half size.

The widths of texts are those of the font itself, not of the table that the renderer uses.
Usage: picture_test.py RENYI
"""
import functools
import itertools
import pathlib
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree as ElementTree

from matplotlib import font_manager, ft2font

RENYI = sys.argv.pop()
SVG = "{http://www.w3.org/2000/svg}"
RUN = ["--sampling-rate", "0.01", "--noise-multiplier", "1.1", "--steps", "10000"]
GAUSSIAN = ["--noise-multiplier", "40", "--steps", "100"]
SEVERAL = ["--sampling-rate", "0.01", "--noise-multiplier", "1,1.5,2,4", "--steps", "10000"]
FIGURES = {
    "rdp": ["rdp", *RUN],
    "steps": ["steps", *RUN],
    "profile": ["profile", *RUN, "--delta", "1e-5"],
    "loss": ["loss", *RUN],
    "tradeoff": ["tradeoff", *GAUSSIAN],
    "outcomes": ["outcomes", *GAUSSIAN],
    "accountants": ["accountants", "--pure-epsilon", "0.125", "--steps", "100"],
    "closed-form": ["closed-form", "--sampling-rate", "0.01", "--noise-multiplier", "4"],
    "epochs": ["epochs", "--dataset-size", "60000", "--batch-size", "256", "--epochs", "60", "--noise-multiplier", "1.1"],
    "linear": ["steps", *RUN, "--x-axis", "linear", "--y-axis", "linear"],
    "several steps": ["steps", *SEVERAL],
    "several profiles": ["profile", *SEVERAL],
    "several trade-offs": ["tradeoff", "--noise-multiplier", "1,4"],
}
SIZES = [[], ["--size", "3.2in,2.1in"], ["--size", "column"], ["--size", "two-column"], ["--size", "slide"]]
GRID = (
    '{"renyi-sweep":1,"request":{"op":"epsilon","steps":[{"mechanism":"gaussian",'
    '"noise_multiplier":{"from":0.5,"to":8,"points":12},"count":{"values":[1,10,100,1000,100000]}}],"delta":1e-5}}'
)


class Face:
    """Advance widths in units of the font's size."""

    def __init__(self):
        self.font = ft2font.FT2Font(font_manager.findfont("DejaVu Sans"))
        self.font.set_size(100, 72)

    @functools.lru_cache(maxsize=None)
    def advance(self, character):
        flags = ft2font.LOAD_NO_HINTING | ft2font.LOAD_NO_BITMAP
        return self.font.load_char(ord(character), flags=flags).linearHoriAdvance / 65536 / 100

    def width(self, text):
        return sum(self.advance(character) for character in text)


FACE = Face()


def box(element):
    """The rectangle (left, top, right, bottom) of a text; digits and capitals reach up to 0.73, letters down to 0.24."""
    x, y, size = (float(element.get(name)) for name in ("x", "y", "font-size"))
    width = FACE.width(element.text) * size
    before = {"start": 0, "middle": width / 2, "end": width}[element.get("text-anchor")]
    if element.get("transform"):
        return (x - 0.73 * size, y + before - width, x + 0.24 * size, y + before)
    return (x - before, y - 0.73 * size, x - before + width, y + 0.24 * size)


def overlap(a, b):
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]


class PictureTest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.file = pathlib.Path(self.folder.name) / "a.svg"

    def tearDown(self):
        self.folder.cleanup()

    def texts(self):
        root = ElementTree.parse(self.file).getroot()
        self.assertEqual(root.tag, SVG + "svg")
        self.page = [float(number) for number in root.get("viewBox").split()]
        return list(root.iter(SVG + "text"))

    def check(self):
        boxes = [(text.text, box(text)) for text in self.texts()]
        self.assertGreater(len(boxes), 5)
        for text, (left, top, right, bottom) in boxes:
            self.assertTrue(left >= 0 and top >= 0 and right <= self.page[2] and bottom <= self.page[3], text)
        for (one, a), (other, b) in itertools.combinations(boxes, 2):
            self.assertFalse(overlap(a, b), f"{one!r} and {other!r}")

    def plot(self, *words):
        subprocess.run([RENYI, "plot", *words, "--out", self.file], check=True, stderr=subprocess.DEVNULL)

    def test_no_texts_overlap(self):
        for name, words in FIGURES.items():
            for size in SIZES:
                with self.subTest(figure=name, size=size):
                    self.plot(*words, *size)
                    self.check()

    def test_no_texts_of_heat_maps_overlap(self):
        command = [RENYI, "sweep", "--plot", self.file]
        subprocess.run(command, check=True, input=GRID.encode(), stdout=subprocess.DEVNULL)
        self.check()

    def test_titles_are_text(self):
        title = "</text><script>alert(1)</script> & \"quotes\" ]]> é ε \u00a0"
        self.plot("rdp", *RUN, "--title", title)
        self.assertIn(title, [text.text for text in self.texts()])

    def test_overlapping_texts_would_be_found(self):
        self.plot("rdp", *RUN)
        content = self.file.read_text()
        self.file.write_text(content.replace("</svg>", '<text x="200" y="16" font-size="9" text-anchor="start">over</text></svg>'))
        with self.assertRaises(AssertionError):
            self.check()


if __name__ == "__main__":
    unittest.main()
