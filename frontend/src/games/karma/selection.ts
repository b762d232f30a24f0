// What a player has selected, and the move that it stands for.

import type { KarmaView } from '../../generated/karma.ts';
import { faceUpMove, playMove, type Offer } from './view.ts';

export type Selection =
  | { sort: 'play' | 'up'; card: string; count: number }
  | { sort: 'place'; verb: 'flip' | 'peek' | 'give face down'; place: number }
  | { sort: 'give'; card: string }
  | { sort: 'swap'; up: string; hand: string }
  | { sort: 'player'; player: number }
  | { sort: 'face up'; ids: string[] };

/** The cards of a hand one by one, each with an id. */
export function cardsWithIds(cards: readonly string[]): { id: string; card: string }[] {
  return cards.map((card, i) => ({ card, id: `${card}.${cards.slice(0, i).filter((each) => each === card).length}` }));
}

/** The move that a selection stands for; null while it is incomplete. */
export function moveOf(selection: Selection, offer: Offer): string | null {
  switch (selection.sort) {
    case 'play':
    case 'up':
      return playMove(selection.card, selection.count);
    case 'place':
      return `${selection.verb} ${selection.place}`;
    case 'give':
      return `give ${selection.card}`;
    case 'swap':
      return selection.up !== '' && selection.hand !== '' ? `swap ${selection.up} ${selection.hand}` : null;
    case 'player':
      return `choose ${selection.player}`;
    case 'face up':
      return faceUpMove(
        offer,
        selection.ids.map((id) => id.slice(0, id.lastIndexOf('.'))),
      );
  }
}

/** The selection that stands for a move; null if the move needs no card and no player. */
export function selectionOf(move: string, from: KarmaView['play_from']): Selection | null {
  const [verb, first = '', ...rest] = move.split(' ');
  if (move.startsWith('face up ')) return { sort: 'face up', ids: cardsWithIds(rest).map((each) => each.id) };
  if (move.startsWith('give face down ')) return { sort: 'place', verb: 'give face down', place: Number(rest[1]) };
  switch (verb) {
    case 'play':
      return { sort: from === 'face_up' ? 'up' : 'play', card: first, count: rest.length + 1 };
    case 'flip':
    case 'peek':
      return { sort: 'place', verb, place: Number(first) };
    case 'give':
      return { sort: 'give', card: first };
    case 'swap':
      return { sort: 'swap', up: first, hand: rest[0] ?? '' };
    case 'choose':
      return { sort: 'player', player: Number(first) };
    default:
      return null;
  }
}
