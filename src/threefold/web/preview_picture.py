"""Draws the picture of a table link: cards on felt, the game, the host and the seats."""

import io
import math
from functools import cache
from pathlib import Path

from PIL import Image, ImageDraw, ImageFilter, ImageFont, ImageOps

SIZE = (1200, 630)
"""The size that most messengers show without cropping."""
SCALE = 2
"""Drawn at this multiple and scaled down, for smooth edges."""
Colour = tuple[int, int, int]
FELT, FELT_DEEP, FELT_LINE = (58, 126, 103), (30, 76, 61), (92, 154, 132)
PAPER, PAPER_DEEP, CREAM, GOLD = (255, 253, 246), (247, 240, 223), (251, 247, 233), (248, 203, 98)
INDIGO, INDIGO_DEEP, KARMA_INK, KARMA_EDGE = (86, 69, 154), (51, 40, 95), (255, 227, 163), (150, 128, 160)
BACK, BACK_DEEP, BACK_INK = (19, 117, 99), (10, 76, 65), (165, 224, 207)
NUMBER, RED = (16, 80, 155), (212, 24, 48)
"""The page's own colours, by daylight (`frontend/src/styles/tokens.css`)."""
CARD = (212, 297)
FAN = ((-16, 184, 344), (-5, 322, 314), (6, 462, 314), (16, 602, 346))
"""Angle and centre of each card."""
BEADS = 16
MOST_RINGS = 12
"""Limit of seats that are drawn."""
RIGHT = 800
"""Left edge of the text, in pixels."""
TYPEFACE = "figtree-latin-wght-normal-*.woff2"
"""The page's own typeface, in the built page."""


def picture(name: str, host: str, seated: int, seats: int) -> bytes:
    """The picture as a PNG."""
    image = _cards_on_felt().copy()
    draw = ImageDraw.Draw(image)
    _write(draw, name, 330, 104, CREAM)
    _write(draw, host, 400, 46, GOLD)
    _draw_seats(image, seated, seats)
    written = io.BytesIO()
    image.quantize(palette=_palette()).save(written, "PNG")
    return written.getvalue()


def header(first: str, second: str) -> bytes:
    """The picture at the head of the README: the same cards, and the names of two games."""
    image = _cards_on_felt().copy()
    draw = ImageDraw.Draw(image)
    _write(draw, first, 330, 104, CREAM)
    _write(draw, second, 440, 104, GOLD)
    written = io.BytesIO()
    image.quantize(palette=_palette()).save(written, "PNG", optimize=True)
    return written.getvalue()


@cache
def _palette() -> Image.Image:
    """The colours of all pictures: with a palette they stay below 200 kB, which every messenger shows."""
    image = _cards_on_felt().copy()
    _draw_seats(image, 1, 1)
    return image.quantize(256)


@cache
def _cards_on_felt() -> Image.Image:
    """The background of all pictures."""
    image = Image.new("RGB", _pair(*SIZE), FELT_DEEP)
    glow = Image.radial_gradient("L").resize(_pair(2000, 1400)).point(lambda light: 255 - light)
    image.paste(FELT, _pair(-400, -385), glow)
    draw = ImageDraw.Draw(image)
    draw.rounded_rectangle(_box(26, 26, SIZE[0] - 26, SIZE[1] - 26), SCALE * 60, outline=FELT_LINE, width=SCALE * 2)
    for card, (angle, x, y) in zip((_back(), _number(), _karma(), _diamonds()), FAN, strict=True):
        _lay(image, card, angle, x, y)
    _trefoil(image, RIGHT + 24, 190, 24, GOLD)
    draw.text(_pair(RIGHT + 60, 200), "Threefold", CREAM, _font(SCALE * 32, 700), anchor="ls")
    return image.resize(SIZE, Image.Resampling.LANCZOS)


def _pair(x: float, y: float) -> tuple[int, int]:
    return round(SCALE * x), round(SCALE * y)


def _box(left: float, top: float, right: float, bottom: float) -> tuple[int, int, int, int]:
    return *_pair(left, top), *_pair(right, bottom)


def _blank(light: Colour, deep: Colour, edge: Colour) -> Image.Image:
    """A card without its drawing, a little darker towards its foot."""
    width, height = _pair(*CARD)
    shade = Image.linear_gradient("L").resize((width, height))
    face = Image.composite(Image.new("RGB", (width, height), deep), Image.new("RGB", (width, height), light), shade)
    mask = Image.new("L", (width, height))
    ImageDraw.Draw(mask).rounded_rectangle((0, 0, width - 1, height - 1), SCALE * 20, fill=255)
    ImageDraw.Draw(face).rounded_rectangle((0, 0, width - 1, height - 1), SCALE * 20, outline=edge, width=SCALE * 2)
    card = Image.new("RGBA", (width, height))
    card.paste(face, (0, 0), mask)
    return card


def _back() -> Image.Image:
    card = _blank(PAPER, PAPER_DEEP, PAPER)
    draw = ImageDraw.Draw(card)
    draw.rounded_rectangle(_box(10, 10, CARD[0] - 10, CARD[1] - 10), SCALE * 13, fill=BACK_DEEP)
    draw.rounded_rectangle(_box(14, 14, CARD[0] - 14, CARD[1] - 14), SCALE * 11, fill=BACK)
    draw.rounded_rectangle(_box(22, 22, CARD[0] - 22, CARD[1] - 22), SCALE * 8, outline=BACK_INK, width=SCALE)
    x, y = CARD[0] / 2, CARD[1] / 2
    draw.ellipse(_box(x - 62, y - 62, x + 62, y + 62), outline=BACK_INK, width=SCALE * 2)
    _trefoil(card, x, y + 6, 36, BACK_INK)
    return card


def _number() -> Image.Image:
    """A six: its beads are lit, and it is underlined in the corners."""
    card = _blank(PAPER, PAPER_DEEP, (205, 194, 168))
    _beads(card, CARD[1] / 2, 6, NUMBER, (207, 219, 236))
    ImageDraw.Draw(card).text(_pair(CARD[0] / 2, CARD[1] / 2), "6", NUMBER, _font(SCALE * 100, 800), anchor="mm")
    corner = Image.new("RGBA", card.size)
    draw = ImageDraw.Draw(corner)
    draw.text(_pair(18, 14), "6", NUMBER, _font(SCALE * 46, 800), anchor="lt")
    draw.rounded_rectangle(_box(19, 54, 43, 58), SCALE * 2, fill=NUMBER)
    card.alpha_composite(corner)
    card.alpha_composite(corner.rotate(180))
    return card


def _karma() -> Image.Image:
    """7 to 11: the beads that it asks for are lit."""
    card = _blank(INDIGO, INDIGO_DEEP, INDIGO_DEEP)
    draw = ImageDraw.Draw(card)
    rim = _box(11, 11, CARD[0] - 11, CARD[1] - 11)
    draw.rounded_rectangle(rim, SCALE * 12, outline=KARMA_EDGE, width=SCALE * 2)
    _beads(card, 138, 5, KARMA_INK, (116, 100, 168), first=6)
    draw.text(_pair(CARD[0] / 2, 138), "7–11", KARMA_INK, _font(SCALE * 46, 800), anchor="mm")
    draw.text(_pair(26, 24), "7–11", KARMA_INK, _font(SCALE * 24, 800), anchor="lt")
    draw.text(_pair(CARD[0] / 2, 264), "7 to 11", KARMA_INK, _font(SCALE * 26, 700), anchor="ms")
    return card


def _diamonds() -> Image.Image:
    """A card with two solid red diamonds."""
    card = _blank(PAPER, PAPER_DEEP, (205, 194, 168))
    x = CARD[0] / 2
    for y in (CARD[1] / 2 - 45, CARD[1] / 2 + 45):
        corners = [_pair(x - 74, y), _pair(x, y - 34), _pair(x + 74, y), _pair(x, y + 34)]
        ImageDraw.Draw(card).polygon(corners, fill=RED)
    return card


def _beads(card: Image.Image, middle: float, lit: int, colour: Colour, dim: Colour, first: int = 0) -> None:
    """The ring of beads round a number."""
    draw = ImageDraw.Draw(card)
    for bead in range(BEADS):
        angle = 2 * math.pi * bead / BEADS
        x, y = CARD[0] / 2 + 74 * math.sin(angle), middle - 74 * math.cos(angle)
        draw.ellipse(_box(x - 5, y - 5, x + 5, y + 5), fill=colour if first <= bead < first + lit else dim)


def _trefoil(image: Image.Image, x: float, y: float, size: float, colour: Colour) -> None:
    """Three leaves, each a ring."""
    side = 2 * round(1.4 * SCALE * size)
    for turn in (0, 120, 240):
        leaf = Image.new("L", (side, side))
        box = (side / 2 - 0.52 * SCALE * size, 0.1 * SCALE * size, side / 2 + 0.52 * SCALE * size, side / 2 - SCALE)
        ImageDraw.Draw(leaf).ellipse(box, outline=255, width=round(SCALE * 0.19 * size))
        corner = (round(SCALE * x - side / 2), round(SCALE * y - side / 2))
        image.paste(colour, corner, leaf.rotate(turn, Image.Resampling.BICUBIC))


def _lay(image: Image.Image, card: Image.Image, angle: int, x: int, y: int) -> None:
    """Lays a card on the felt, with its shadow."""
    turned = ImageOps.expand(card.rotate(-angle, Image.Resampling.BICUBIC, expand=True), SCALE * 30)
    corner = (SCALE * x - turned.width // 2, SCALE * y - turned.height // 2)
    shadow = turned.getchannel("A").point(lambda alpha: alpha // 3).filter(ImageFilter.GaussianBlur(SCALE * 8))
    image.paste((0, 0, 0), (corner[0], corner[1] + SCALE * 8), shadow)
    image.paste(turned, corner, turned)


@cache
def _font(size: int, weight: int = 600) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    """The page's typeface; Pillow's own where the page is not built."""
    file = next((Path(__file__).parent / "static" / "assets").glob(TYPEFACE), None)
    try:
        font = ImageFont.truetype(file, size) if file else None
    except OSError:  # a FreeType that cannot read woff2
        font = None
    if font is None:
        return ImageFont.load_default(size)
    font.set_variation_by_axes([weight])
    return font


def _write(draw: ImageDraw.ImageDraw, text: str, bottom: int, size: int, colour: Colour) -> None:
    """Writes a line, smaller if it is long. Characters that the typeface lacks are left out."""
    if not text.isascii():
        return
    while size > 20 and draw.textlength(text, _font(size, 800)) > SIZE[0] - RIGHT - 60:
        size -= 4
    draw.text((RIGHT, bottom), text, colour, _font(size, 800), anchor="ls")


def _draw_seats(image: Image.Image, seated: int, seats: int) -> None:
    """A ring for each seat; those taken are filled."""
    rings = Image.new("L", _pair(340, 60))
    draw = ImageDraw.Draw(rings)
    step = min(52.0, 330 / min(seats, MOST_RINGS))
    for seat in range(min(seats, MOST_RINGS)):
        ring = _box(2 + step * seat, 2, 2 + step * (seat + 0.74), 2 + 0.74 * step)
        draw.ellipse(ring, fill=255 if seat < seated else 0, outline=255, width=SCALE * 3)
    image.paste(GOLD, (RIGHT, 440), rings.resize((340, 60), Image.Resampling.LANCZOS))
