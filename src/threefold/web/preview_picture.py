"""Draws the picture of a table link: cards on felt, the game, the host and the seats."""

import io
from functools import cache

from PIL import Image, ImageDraw, ImageFilter, ImageFont, ImageOps

SIZE = (1200, 630)
"""What most previews of links show whole."""
SCALE = 2
"""It is drawn larger and then made smaller: smooth edges."""
FELT, FELT_DEEP = (62, 125, 103), (23, 56, 47)
PAPER, INDIGO, GOLD, CREAM = (252, 249, 240), (76, 62, 148), (242, 190, 76), (247, 243, 230)
CARD = (236, 344)
FAN = ((-17, 262, 344), (-6, 376, 312), (6, 492, 312), (17, 606, 344))
"""Angle and middle of each card."""
MOST_RINGS = 12
"""Seats that are drawn one by one."""
RIGHT = 800
"""Where the words begin."""


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


@cache
def _palette() -> Image.Image:
    """The colours of all pictures: with a palette they stay below 200 kB, which every messenger shows."""
    return _cards_on_felt().quantize(256)


@cache
def _cards_on_felt() -> Image.Image:
    """What all pictures have in common."""
    image = Image.new("RGB", _pair(*SIZE), FELT_DEEP)
    glow = Image.radial_gradient("L").resize(_pair(2000, 1400)).point(lambda light: 255 - light)
    image.paste(FELT, _pair(-400, -385), glow)
    for number, (angle, x, y) in enumerate(FAN):
        _lay(image, _card(green=number % 2 == 0), angle, x, y)
    return image.resize(SIZE, Image.Resampling.LANCZOS)


def _pair(x: float, y: float) -> tuple[int, int]:
    return round(SCALE * x), round(SCALE * y)


def _box(left: float, top: float, right: float, bottom: float) -> tuple[int, int, int, int]:
    return *_pair(left, top), *_pair(right, bottom)


@cache
def _card(*, green: bool) -> Image.Image:
    """A card with the trefoil, in green or in indigo."""
    width, height = _pair(*CARD)
    card = Image.new("RGBA", (width, height))
    draw = ImageDraw.Draw(card)
    rim, inner = (PAPER, FELT_DEEP) if green else (PAPER, INDIGO)
    draw.rounded_rectangle((0, 0, width - 1, height - 1), SCALE * 20, fill=rim)
    draw.rounded_rectangle(_box(11, 11, CARD[0] - 11, CARD[1] - 11), SCALE * 13, fill=inner)
    draw.rounded_rectangle(_box(22, 22, CARD[0] - 22, CARD[1] - 22), SCALE * 9, outline=GOLD, width=SCALE * 2)
    for turn in (0, 120, 240):
        leaf = Image.new("RGBA", (width, height))
        x, y = CARD[0] / 2, CARD[1] / 2
        ImageDraw.Draw(leaf).ellipse(_box(x - 25, y - 76, x + 25, y - 2), outline=GOLD, width=SCALE * 6)
        card.alpha_composite(leaf.rotate(turn, Image.Resampling.BICUBIC))
    return card


def _lay(image: Image.Image, card: Image.Image, angle: int, x: int, y: int) -> None:
    """Lays a card on the felt, with its shadow."""
    turned = ImageOps.expand(card.rotate(-angle, Image.Resampling.BICUBIC, expand=True), SCALE * 30)
    corner = (SCALE * x - turned.width // 2, SCALE * y - turned.height // 2)
    shadow = turned.getchannel("A").point(lambda alpha: alpha // 3).filter(ImageFilter.GaussianBlur(SCALE * 8))
    image.paste((0, 0, 0), (corner[0], corner[1] + SCALE * 8), shadow)
    image.paste(turned, corner, turned)


@cache
def _font(size: int) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    return ImageFont.load_default(size)


def _write(draw: ImageDraw.ImageDraw, text: str, bottom: int, size: int, colour: tuple[int, int, int]) -> None:
    """Writes a line, smaller if it is long. What the typeface cannot show is left out: the link's title has it."""
    if not text.isascii():
        return
    while size > 20 and draw.textlength(text, _font(size)) > SIZE[0] - RIGHT - 40:
        size -= 4
    draw.text((RIGHT, bottom), text, colour, _font(size), anchor="ls")


def _draw_seats(image: Image.Image, seated: int, seats: int) -> None:
    """A ring for each seat; those taken are filled."""
    rings = Image.new("L", _pair(340, 60))
    draw = ImageDraw.Draw(rings)
    step = min(52.0, 330 / min(seats, MOST_RINGS))
    for seat in range(min(seats, MOST_RINGS)):
        ring = _box(2 + step * seat, 2, 2 + step * (seat + 0.74), 2 + 0.74 * step)
        draw.ellipse(ring, fill=255 if seat < seated else 0, outline=255, width=SCALE * 3)
    image.paste(GOLD, (RIGHT, 440), rings.resize((340, 60), Image.Resampling.LANCZOS))
