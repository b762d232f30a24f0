// A player goes out: a gold stamp with the place falls on the seat, and bits of paper fly. `finishFlights` ends it.

import type { KarmaView } from '../../generated/karma.ts';
import { flightLayer } from './cardMotion.ts';
import { positionOf, type Position } from './cardFlights.ts';
import { seatOf } from './view.ts';

/** Milliseconds: the stamp falls, lies, and fades. */
const [FALL, WHOLE] = [260, 860];
const BITS = 14;
const COLOURS = ['--gold-1', '--karma-glow', '--back-ink', '--on-felt'] as const;

/** Shows that a player is safe: at the seat, the viewer's at the rail. All durations are multiplied by `times`. */
export async function animateSafe(player: number, view: KarmaView, times: number): Promise<void> {
  const seat = seatOf(view, player);
  const at = positionOf(`name-${seat}`, `hand-${seat}`) ?? positionOf('pile');
  if (at === null) return;
  const element = document.createElement('div');
  element.className = 'flying safe-stamp';
  element.style.cssText = `position:absolute;left:${at.x}px;top:${at.y}px;`;
  const animations = [...bits(element, times), stamp(element, view.out.indexOf(player) + 1, at, times)];
  flightLayer().append(element);
  await Promise.allSettled(animations.map((start) => start().finished));
  element.remove();
}

/** The stamp itself; returns what starts its animation. */
function stamp(on: HTMLElement, place: number, at: Position, times: number): () => Animation {
  const size = Math.min(76, Math.max(48, at.width * 0.6));
  const disc = document.createElement('b');
  disc.textContent = String(place);
  disc.style.cssText =
    `position:absolute;width:${size}px;height:${size}px;margin:${-size / 2}px;display:grid;place-items:center;` +
    `border-radius:50%;border:3px solid var(--gold-ink);outline:3px solid var(--gold-1);color:var(--gold-ink);` +
    `background:linear-gradient(var(--gold-1),var(--gold-2));box-shadow:var(--e3);font-size:${size * 0.55}px;` +
    'font-weight:800;line-height:1;';
  on.append(disc);
  const lies = 'rotate(-8deg)';
  return () =>
    disc.animate(
      [
        { transform: `scale(2.2) ${lies}`, opacity: 0, easing: 'ease-in' },
        { transform: `scale(0.95) ${lies}`, opacity: 1, offset: FALL / WHOLE, easing: 'ease-out' },
        { transform: `scale(1) ${lies}`, opacity: 1, offset: (FALL + 60) / WHOLE },
        { transform: `scale(1) ${lies}`, opacity: 1, offset: 0.84 },
        { transform: `scale(1) ${lies}`, opacity: 0 },
      ],
      { duration: WHOLE * times, fill: 'both' },
    );
}

/** Bits of paper that fly when the stamp lands. */
function bits(on: HTMLElement, times: number): (() => Animation)[] {
  return Array.from({ length: BITS }, (_, i) => {
    const bit = document.createElement('i');
    bit.style.cssText =
      'position:absolute;width:7px;height:10px;border-radius:2px;' +
      `background:var(${COLOURS[i % COLOURS.length] ?? '--gold-1'});`;
    on.append(bit);
    const angle = (i / BITS) * 2 * Math.PI + 0.4;
    const far = 62 + (i % 3) * 22;
    const [x, y] = [Math.cos(angle) * far, Math.sin(angle) * far - 18];
    return () =>
      bit.animate(
        [
          { transform: 'translate(0, 0) scale(0.3)', opacity: 0 },
          {
            transform: 'translate(0, 0) scale(0.6)',
            opacity: 1,
            offset: 0.05,
            easing: 'cubic-bezier(0.1, 0.7, 0.3, 1)',
          },
          { transform: `translate(${x}px, ${y}px) rotate(${90 + i * 40}deg)`, opacity: 1, offset: 0.7 },
          { transform: `translate(${x}px, ${y + 26}px) rotate(${150 + i * 40}deg)`, opacity: 0 },
        ],
        { duration: (WHOLE - FALL) * times, delay: FALL * times, fill: 'both' },
      );
  });
}
