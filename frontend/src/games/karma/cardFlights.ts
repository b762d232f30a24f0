// Animates cards from one place to another. Only transforms are animated; a flying card is fully opaque.
// Elements carry their place in data-at: pile, draw, removed, hand-<seat>, up-<seat>-<place>, down-<seat>-<place>,
// mine-<card>.

import { mount, unmount } from 'svelte';
import Card from './Card.svelte';
import type { KarmaEvent, KarmaView, Location } from '../../generated/karma.ts';

interface Position {
  x: number;
  y: number;
  width: number;
}

interface Flight {
  card: string | null;
  from: Position;
  to: string[];
  spin: number;
}

const MAX_FLIGHTS = 7;

function positionOf(...names: (string | undefined)[]): Position | null {
  for (const name of names) {
    const element = name === undefined ? null : document.querySelector(`[data-at="${name}"]`);
    const box = element?.getBoundingClientRect();
    if (box && box.width > 0) return { x: box.left + box.width / 2, y: box.top + box.height / 2, width: box.width };
  }
  return null;
}

/** The flights of an event. Measures their start positions, so call it before the page changes. */
export function planFlights(view: KarmaView, event: KarmaEvent): Flight[] {
  const own = view.seats.findIndex((each) => each.player === view.viewer);
  const flights: Flight[] = [];
  const add = (card: string | null, from: Position | null, to: string[], spin = 0): void => {
    if (from && flights.length < MAX_FLIGHTS) flights.push({ card, from, to, spin });
  };
  const handPosition = (index: number, card: string | null): Position | null =>
    index === own
      ? positionOf(card === null ? undefined : `mine-${card}`, `hand-${index}`)
      : positionOf(`hand-${index}`);
  const handTargets = (index: number, card: string | null): string[] =>
    index === own && card !== null ? [`mine-${card}`, `hand-${index}`] : [`hand-${index}`];
  const seatOf = (player: number): number => view.seats.findIndex((each) => each.player === player);
  const sourcePosition = (
    index: number,
    from: Location,
    card: string | null,
    place: number | null,
  ): Position | null => {
    if (from === 'face_down') return positionOf(`down-${index}-${place ?? 0}`, `hand-${index}`);
    if (from === 'face_up')
      return positionOf(`up-${index}-${(view.seats[index]?.face_up.indexOf(card) ?? 0) + 1}`, `hand-${index}`);
    return handPosition(index, card);
  };
  switch (event.event) {
    case 'cards_played':
      for (let i = 0; i < event.count; i++)
        add(event.card, sourcePosition(event.seat, event.from, event.card, null), ['pile']);
      break;
    case 'card_flipped':
      add(event.card, positionOf(`down-${event.seat}-${event.place}`, `hand-${event.seat}`), ['pile']);
      break;
    case 'pile_picked_up':
    case 'pile_given':
      for (const each of event.cards.slice(-MAX_FLIGHTS)) add(each, positionOf('pile'), handTargets(event.seat, each));
      break;
    case 'pile_cleared':
      event.cards.slice(-MAX_FLIGHTS).forEach((each, i) => {
        add(each, positionOf('pile'), ['removed'], 160 + 40 * i);
      });
      break;
    case 'cards_left':
      for (let i = 0; i < event.count; i++) add(event.card, positionOf('pile'), ['removed'], 200);
      break;
    case 'cards_drawn':
      for (let i = 0; i < event.count; i++)
        add(event.cards?.[i] ?? null, positionOf('draw'), handTargets(event.seat, event.cards?.[i] ?? null));
      break;
    case 'card_given': {
      const giver = seatOf(event.player);
      const shown = event.from === 'face_down' && event.to !== view.viewer ? null : event.card;
      const from = sourcePosition(giver, event.from, event.card, event.place);
      add(shown, from, handTargets(seatOf(event.to), event.card));
      break;
    }
    case 'hands_passed':
      view.seats.forEach((each, i) => {
        const step = event.way === 'right' ? view.seats.length - 1 : 1;
        if (each.hand_size > 0)
          flights.push(...singleFlight(null, positionOf(`hand-${i}`), [`hand-${(i + step) % view.seats.length}`]));
      });
      break;
    case 'hands_exchanged': {
      const [a, b] = [seatOf(event.player), seatOf(event.to)];
      add(null, positionOf(`hand-${a}`), [`hand-${b}`]);
      add(null, positionOf(`hand-${b}`), [`hand-${a}`]);
      break;
    }
    case 'cards_swapped':
      add(event.up, positionOf(`up-${event.seat}-${event.place}`), handTargets(event.seat, event.up));
      add(event.hand, handPosition(event.seat, event.hand), [`up-${event.seat}-${event.place}`]);
      break;
    case 'seats_changed':
      for (const moved of event.moved) {
        flights.push(...singleFlight(null, positionOf(`name-${moved.from}`), [`name-${moved.to}`]));
      }
      break;
  }
  return flights;
}

function singleFlight(card: string | null, from: Position | null, to: string[]): Flight[] {
  return from ? [{ card, from, to, spin: 0 }] : [];
}

/** Animates planned flights after the page has changed. Resolves when the last card has arrived. */
export async function animateFlights(flights: Flight[], milliseconds: number): Promise<void> {
  // Measure all targets before adding elements; otherwise the browser computes the layout once per card.
  const targets = flights.map((flight) => positionOf(...flight.to));
  await Promise.all(
    flights.flatMap((flight, i) => {
      const target = targets[i];
      return target ? [animateFlight(flight, target, milliseconds, Math.min(i * 45, 240))] : [];
    }),
  );
}

/** The layer that contains flying cards; it is separate so that the page below is not laid out or painted again. */
function flightLayer(): HTMLElement {
  const existing = document.getElementById('flights');
  if (existing) return existing;
  const layer = document.createElement('div');
  layer.id = 'flights';
  layer.setAttribute('aria-hidden', 'true');
  layer.style.cssText = 'position:fixed;inset:0;z-index:60;pointer-events:none;contain:strict;';
  document.body.append(layer);
  return layer;
}

async function animateFlight(flight: Flight, target: Position, milliseconds: number, delay: number): Promise<void> {
  const width = Math.min(Math.max(target.width, 34), 92);
  const element = document.createElement('div');
  element.className = 'flying';
  element.style.cssText =
    `position:absolute;width:${width}px;left:${target.x - width / 2}px;` +
    `top:${target.y - width * 0.7}px;will-change:transform;filter:none;`;
  const drawn = mount(Card, { target: element, props: { card: flight.card, small: width < 56 } });
  flightLayer().append(element);
  const [dx, dy] = [flight.from.x - target.x, flight.from.y - target.y];
  const start = Math.min(1.15, Math.max(0.45, flight.from.width / width));
  const middle = `translate(${dx * 0.45}px, ${dy * 0.45 - 14}px) scale(${(start + 1.1) / 2})`;
  const animation = element.animate(
    [
      { transform: `translate(${dx}px, ${dy}px) scale(${start})` },
      { transform: `${middle} rotate(${flight.spin / 2}deg)`, offset: 0.55 },
      { transform: `translate(0, 0) scale(1) rotate(${flight.spin}deg)` },
    ],
    { duration: milliseconds, delay, easing: 'cubic-bezier(0.3, 0.1, 0.2, 1)', fill: 'both' },
  );
  try {
    await animation.finished;
  } catch {
    // Cancelled: the page already shows the card at its target.
  }
  element.remove();
  void unmount(drawn);
}

/** Ends all flights at once. */
export function finishFlights(): void {
  for (const element of document.querySelectorAll('.flying')) {
    for (const animation of element.getAnimations()) animation.finish();
  }
}
