// Reads a View of Karma: a parser for the moves that it offers, and small lookups.
// There are no rules here: `moves` lists every legal move.

import type { KarmaQuestion, KarmaView, PowerName } from '../../generated/karma.ts';

export interface Offer {
  question: KarmaQuestion;
  power: PowerName | null;
  /** Playable cards: code -> possible counts. */
  play: Map<string, number[]>;
  flip: number[];
  give: string[];
  giveFaceDown: number[];
  peek: number[];
  /** Face-up card -> hand cards it can be swapped with. */
  swap: Map<string, string[]>;
  choose: number[];
  faceUp: string[][];
  pickUp: boolean;
  decline: boolean;
  draw: boolean;
  endTurn: boolean;
}

/** The question to the viewer and its possible answers; null if the game does not wait for the viewer. */
export function offerOf(view: KarmaView): Offer | null {
  const awaited = view.awaits.find((each) => each.player === view.viewer);
  if (view.viewer === null || awaited === undefined || view.moves.length === 0) return null;
  const offer: Offer = {
    question: awaited.question,
    power: awaited.power ?? null,
    play: new Map(),
    flip: [],
    give: [],
    giveFaceDown: [],
    peek: [],
    swap: new Map(),
    choose: [],
    faceUp: [],
    pickUp: false,
    decline: false,
    draw: false,
    endTurn: false,
  };
  for (const move of view.moves) addMove(offer, move);
  return offer;
}

function addMove(offer: Offer, move: string): void {
  const [verb, ...rest] = move.split(' ');
  const first = rest[0] ?? '';
  if (move.startsWith('face up ')) offer.faceUp.push(rest.slice(1));
  else if (move.startsWith('give face down ')) offer.giveFaceDown.push(Number(rest[2]));
  else if (move === 'pick up') offer.pickUp = true;
  else if (move === 'end turn') offer.endTurn = true;
  else if (verb === 'play') offer.play.set(first, [...(offer.play.get(first) ?? []), rest.length]);
  else if (verb === 'flip') offer.flip.push(Number(first));
  else if (verb === 'give') offer.give.push(first);
  else if (verb === 'peek') offer.peek.push(Number(first));
  else if (verb === 'swap') offer.swap.set(first, [...(offer.swap.get(first) ?? []), rest[1] ?? '']);
  else if (verb === 'choose') offer.choose.push(Number(first));
  else if (verb === 'decline') offer.decline = true;
  else if (verb === 'draw') offer.draw = true;
}

/** Notation of playing `count` identical cards. */
export function playMove(card: string, count: number): string {
  return ['play', ...Array<string>(count).fill(card)].join(' ');
}

/** The offered face-up move with exactly these cards, in the server's order. */
export function faceUpMove(offer: Offer, cards: readonly string[]): string | null {
  const wanted = [...cards].sort().join(' ');
  const choice = offer.faceUp.find((each) => [...each].sort().join(' ') === wanted);
  return choice === undefined ? null : ['face up', ...choice].join(' ');
}

/** Cards grouped by code, in order of first appearance. */
export function grouped(cards: readonly string[]): { card: string; count: number }[] {
  const groups: { card: string; count: number }[] = [];
  for (const card of cards) {
    const group = groups.find((each) => each.card === card);
    if (group) group.count += 1;
    else groups.push({ card, count: 1 });
  }
  return groups;
}

export function isNumber(card: string): boolean {
  return /^\d{1,2}$/.test(card);
}

/** Index of a player's seat; -1 if there is none. */
export function seatOf(view: KarmaView, player: number | null): number {
  return view.seats.findIndex((seat) => seat.player === player);
}
