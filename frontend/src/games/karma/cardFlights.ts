// Which cards move from where to where when an event is shown; `cardMotion.ts` moves them.
// Elements carry their place in data-at: pile, draw, hand-<seat>, up-<seat>-<place>, down-<seat>-<place>,
// mine-<card>.

import type { KarmaEvent, KarmaView, Location } from '../../generated/karma.ts';

export interface Position {
  x: number;
  y: number;
  width: number;
}

/** How a card moves: thrown onto the pile, in an arc to a player, turned over first, or swept off the table. */
export type Motion = 'throw' | 'arc' | 'flip' | 'sweep';

export interface Flight {
  card: string | null;
  from: Position;
  to: string[];
  motion: Motion;
  /** How the card comes to lie, in degrees. */
  turn: number;
}

const MAX_FLIGHTS = 7;
/** How cards come to lie on the pile, in degrees, one after another. */
const TURNS = [4, -5, 3, -3, 5, -4];

/** How the n-th card of the pile lies. */
export function turnOnPile(n: number): number {
  return TURNS[n % TURNS.length] ?? 0;
}

export function positionOf(...names: (string | undefined)[]): Position | null {
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
  const add = (card: string | null, from: Position | null, to: string[], motion: Motion = 'arc', turn = 0): void => {
    if (from && flights.length < MAX_FLIGHTS) flights.push({ card, from, to, motion, turn });
  };
  const onPile = view.discard_pile.length;
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
        add(
          event.card,
          sourcePosition(event.seat, event.from, event.card, null),
          ['pile'],
          'throw',
          turnOnPile(onPile + i + 1),
        );
      break;
    case 'card_flipped':
      add(
        event.card,
        positionOf(`down-${event.seat}-${event.place}`, `hand-${event.seat}`),
        ['pile'],
        'flip',
        turnOnPile(onPile + 1),
      );
      break;
    case 'pile_picked_up':
    case 'pile_given':
      // The top card goes first.
      for (const [depth, each] of event.cards.slice(-MAX_FLIGHTS).reverse().entries())
        add(each, fannedPosition(depth), handTargets(event.seat, each));
      break;
    case 'pile_cleared':
      for (const [depth, each] of event.cards.slice(-MAX_FLIGHTS).reverse().entries())
        add(each, fannedPosition(depth), ['pile'], 'sweep');
      break;
    case 'cards_left':
      for (let i = 0; i < event.count; i++) add(event.card, fannedPosition(i), ['pile'], 'sweep');
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
  return from ? [{ card, from, to, motion: 'arc', turn: 0 }] : [];
}

/** Where a card of the fanned pile lies; the top card has a depth of 0. */
function fannedPosition(depth: number): Position | null {
  const fan = [...document.querySelectorAll('.discard .lies')];
  const box = fan[Math.max(0, fan.length - 1 - depth)]?.getBoundingClientRect();
  // A turned card has a larger box than it is wide.
  const width = positionOf('pile')?.width ?? 0;
  return box && box.width > 0
    ? { x: box.left + box.width / 2, y: box.top + box.height / 2, width }
    : positionOf('pile');
}
