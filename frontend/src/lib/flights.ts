// Cards fly from where they were to where they go. Only transforms are animated; a flying card is as opaque as a lying one.
// Places are marked in the page by data-at: pile, draw, removed, hand-<seat>, up-<seat>-<place>, down-<seat>-<place>, mine-<card>.

import { mount, unmount } from 'svelte';
import Card from '../parts/Card.svelte';
import type { KarmaEvent, KarmaView, Where } from './karma.ts';

interface Spot {
  x: number;
  y: number;
  width: number;
}

interface Flight {
  card: string | null;
  from: Spot;
  to: string[];
  spin: number;
}

const MOST_AT_ONCE = 7;

function spot(...names: (string | undefined)[]): Spot | null {
  for (const name of names) {
    const found = name === undefined ? null : document.querySelector(`[data-at="${name}"]`);
    const box = found?.getBoundingClientRect();
    if (box && box.width > 0) return { x: box.left + box.width / 2, y: box.top + box.height / 2, width: box.width };
  }
  return null;
}

/** Which cards will fly for this event, measured before the page changes. */
export function prepare(view: KarmaView, event: KarmaEvent): Flight[] {
  const own = view.seats.findIndex((each) => each.player === view.viewer);
  const seat = event.seat as number;
  const cards = (event.cards ?? []) as (string | null)[];
  const flights: Flight[] = [];
  const add = (card: string | null, from: Spot | null, to: string[], spin = 0): void => {
    if (from && flights.length < MOST_AT_ONCE) flights.push({ card, from, to, spin });
  };
  const holding = (index: number, card: string | null): Spot | null =>
    index === own ? spot(card === null ? undefined : `mine-${card}`, `hand-${index}`) : spot(`hand-${index}`);
  const arriving = (index: number, card: string | null): string[] =>
    index === own && card !== null ? [`mine-${card}`, `hand-${index}`] : [`hand-${index}`];
  const seatOf = (player: unknown): number => view.seats.findIndex((each) => each.player === player);
  const fromPlace = (index: number, from: Where, card: string | null, place: unknown): Spot | null => {
    if (from === 'face_down') return spot(`down-${index}-${place as number}`, `hand-${index}`);
    if (from === 'face_up') return spot(`up-${index}-${(view.seats[index]?.face_up.indexOf(card) ?? 0) + 1}`, `hand-${index}`);
    return holding(index, card);
  };
  const card = (event.card ?? null) as string | null;
  switch (event.event) {
    case 'cards_played':
      for (let i = 0; i < (event.count as number); i++) add(card, fromPlace(seat, event.from as Where, card, null), ['pile']);
      break;
    case 'card_flipped':
      add(card, spot(`down-${seat}-${event.place as number}`, `hand-${seat}`), ['pile']);
      break;
    case 'pile_picked_up':
    case 'pile_given':
      for (const each of cards.slice(-MOST_AT_ONCE)) add(each, spot('pile'), arriving(seat, each));
      break;
    case 'pile_cleared':
      cards.slice(-MOST_AT_ONCE).forEach((each, i) => add(each, spot('pile'), ['removed'], 160 + 40 * i));
      break;
    case 'cards_left':
      for (let i = 0; i < (event.count as number); i++) add(card, spot('pile'), ['removed'], 200);
      break;
    case 'cards_drawn': {
      const known = event.cards as string[] | null;
      for (let i = 0; i < (event.count as number); i++) add(known?.[i] ?? null, spot('draw'), arriving(seat, known?.[i] ?? null));
      break;
    }
    case 'card_given': {
      const giver = seatOf(event.player);
      const shown = event.from === 'face_down' && event.to !== view.viewer ? null : card;
      add(shown, fromPlace(giver, event.from as Where, card, event.place), arriving(seatOf(event.to), card));
      break;
    }
    case 'hands_passed':
      view.seats.forEach((each, i) => {
        const step = event.way === 'right' ? view.seats.length - 1 : 1;
        if (each.hand_size > 0) flights.push(...one(null, spot(`hand-${i}`), [`hand-${(i + step) % view.seats.length}`]));
      });
      break;
    case 'hands_exchanged': {
      const [a, b] = [seatOf(event.player), seatOf(event.to)];
      add(null, spot(`hand-${a}`), [`hand-${b}`]);
      add(null, spot(`hand-${b}`), [`hand-${a}`]);
      break;
    }
    case 'cards_swapped':
      add(event.up as string, spot(`up-${seat}-${event.place as number}`), arriving(seat, event.up as string));
      add(event.hand as string, holding(seat, event.hand as string), [`up-${seat}-${event.place as number}`]);
      break;
    case 'seats_changed':
      for (const moved of event.moved as unknown as { from: number; to: number }[]) {
        flights.push(...one(null, spot(`name-${moved.from}`), [`name-${moved.to}`]));
      }
      break;
  }
  return flights;
}

function one(card: string | null, from: Spot | null, to: string[]): Flight[] {
  return from ? [{ card, from, to, spin: 0 }] : [];
}

/** Lets the prepared cards fly, after the page has changed. Resolves when the last one has landed. */
export async function fly(flights: Flight[], milliseconds: number): Promise<void> {
  // All places are measured before anything is added: else the browser would lay the page out again for each card.
  const targets = flights.map((flight) => spot(...flight.to));
  await Promise.all(
    flights.flatMap((flight, i) => {
      const target = targets[i];
      return target ? [land(flight, target, milliseconds, Math.min(i * 45, 240))] : [];
    }),
  );
}

/** Where cards fly: a layer of its own, so that nothing beneath it is laid out or painted again for them. */
function sky(): HTMLElement {
  const found = document.getElementById('sky');
  if (found) return found;
  const made = document.createElement('div');
  made.id = 'sky';
  made.setAttribute('aria-hidden', 'true');
  made.style.cssText = 'position:fixed;inset:0;z-index:60;pointer-events:none;contain:strict;';
  document.body.append(made);
  return made;
}

async function land(flight: Flight, target: Spot, milliseconds: number, delay: number): Promise<void> {
  const width = Math.min(Math.max(target.width, 34), 92);
  const element = document.createElement('div');
  element.className = 'flying';
  element.style.cssText =
    `position:absolute;width:${width}px;left:${target.x - width / 2}px;` +
    `top:${target.y - width * 0.7}px;will-change:transform;filter:none;`;
  const drawn = mount(Card, { target: element, props: { card: flight.card, small: width < 56 } });
  sky().append(element);
  const [dx, dy] = [flight.from.x - target.x, flight.from.y - target.y];
  const start = Math.min(1.15, Math.max(0.45, flight.from.width / width));
  const animation = element.animate(
    [
      { transform: `translate(${dx}px, ${dy}px) scale(${start})` },
      { transform: `translate(${dx * 0.45}px, ${dy * 0.45 - 14}px) scale(${(start + 1.1) / 2}) rotate(${flight.spin / 2}deg)`, offset: 0.55 },
      { transform: `translate(0, 0) scale(1) rotate(${flight.spin}deg)` },
    ],
    { duration: milliseconds, delay, easing: 'cubic-bezier(0.3, 0.1, 0.2, 1)', fill: 'both' },
  );
  try {
    await animation.finished;
  } catch {
    // Cancelled: the card is where it goes anyway.
  }
  element.remove();
  void unmount(drawn);
}

/** Ends all flights at once: somebody is quicker than the cards. */
export function landAll(): void {
  for (const element of document.querySelectorAll('.flying')) {
    for (const animation of element.getAnimations()) animation.finish();
  }
}
