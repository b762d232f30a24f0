// Applies single events to the View on the screen, so that the page can animate them one by one between two Views of
// the server. This is presentation, not rules: after the last event the server's View replaces the result.

import { CARDS, type KarmaEvent, type KarmaView, type SeatView } from '../../generated/karma.ts';
import { isNumber } from './view.ts';

const PRINTED = CARDS.map((each) => each.code);

/** Sort key of a card in a hand. */
export function handRank(card: string): number {
  if (isNumber(card)) return Number(card);
  const printed = PRINTED.indexOf(card);
  return printed >= 0 ? 100 + printed : 200 + Number(card.slice(1));
}

export function sortHand(cards: readonly string[]): string[] {
  return [...cards].sort((a, b) => handRank(a) - handRank(b));
}

const ABOUT_THE_PILE = new Set<KarmaEvent['event']>([
  'cards_played',
  'card_flipped',
  'pile_picked_up',
  'pile_given',
  'pile_cleared',
  'cards_left',
  'bottom_moved_up',
]);

/** Does this event change the discard pile? */
export function touchesPile(event: KarmaEvent): boolean {
  return ABOUT_THE_PILE.has(event.event);
}

/** The View after an event, with everything that the event reveals. What the rules decide stays as it was. */
export function applyEvent(view: KarmaView, event: KarmaEvent): KarmaView {
  const next: KarmaView = {
    ...view,
    seats: view.seats.map((seat) => ({ ...seat, face_up: [...seat.face_up], face_down: [...seat.face_down] })),
    discard_pile: [...view.discard_pile],
    lost_turns: [...view.lost_turns],
  };
  applyTo(next, event);
  for (const seat of next.seats) seat.cards = seat.hand_size + countCards(seat.face_up) + countCards(seat.face_down);
  return reuseUnchangedSeats(view, next);
}

/** The next View with the unchanged seats of the last one, so that Svelte does not draw them again. */
export function reuseUnchangedSeats(last: KarmaView, next: KarmaView): KarmaView {
  const seats = next.seats.map((seat, i) => {
    const before = last.seats[i];
    return before !== undefined && JSON.stringify(before) === JSON.stringify(seat) ? before : seat;
  });
  return { ...next, seats };
}

function countCards(places: readonly unknown[]): number {
  return places.filter((each) => each !== null).length;
}

function applyTo(view: KarmaView, event: KarmaEvent): void {
  const seat = 'seat' in event ? view.seats[event.seat] : undefined;
  switch (event.event) {
    case 'face_up_chosen':
      view.has_chosen = [...view.has_chosen, event.player];
      if (event.cards) view.chosen = event.cards;
      break;
    case 'face_up_shown':
      if (seat) {
        takeFromHand(seat, event.cards);
        seat.face_up = [...event.cards];
      }
      break;
    case 'turn_began':
      view.turn = event.player;
      break;
    case 'cards_played':
      if (seat) {
        const played = Array<string>(event.count).fill(event.card);
        if (event.from === 'hand') takeFromHand(seat, played);
        else for (const each of played) takeFaceUp(seat, each);
        view.discard_pile.push(...played);
      }
      break;
    case 'card_flipped':
      if (seat) {
        seat.face_down[event.place - 1] = null;
        view.discard_pile.push(event.card);
      }
      break;
    case 'pile_picked_up':
    case 'pile_given':
      if (seat) addToHand(view, seat, event.cards, event.cards.length);
      view.discard_pile = [];
      break;
    case 'pile_cleared':
      view.discard_pile = view.discard_pile.slice(0, Math.max(0, view.discard_pile.length - event.cards.length));
      view.removed = sortHand([...view.removed, ...event.cards]);
      break;
    case 'cards_left':
      for (let i = 0; i < event.count; i++) {
        const at = view.discard_pile.lastIndexOf(event.card);
        if (at >= 0) view.discard_pile.splice(at, 1);
      }
      view.removed = sortHand([...view.removed, ...Array<string>(event.count).fill(event.card)]);
      break;
    case 'bottom_moved_up':
      view.discard_pile.push(...view.discard_pile.splice(0, 1));
      break;
    case 'direction_reversed':
      view.direction = event.direction;
      break;
    case 'seats_changed':
      for (const moved of event.moved) {
        const taken = view.seats[moved.to];
        if (taken) taken.player = moved.player;
      }
      hideUnknownHands(view);
      break;
    case 'hands_passed': {
      const step = event.way === 'right' ? 1 : view.seats.length - 1;
      const hands = view.seats.map((each) => [each.hand_size, each.hand] as const);
      view.seats.forEach((each, i) => {
        const [size] = hands[(i + step) % hands.length] ?? [0, null];
        each.hand_size = size;
        each.hand = each.player === view.viewer && size === 0 ? [] : null;
      });
      break;
    }
    case 'hands_exchanged': {
      const [one, other] = [seatOfPlayer(view, event.player), seatOfPlayer(view, event.to)];
      if (one && other) {
        [one.hand_size, other.hand_size] = [other.hand_size, one.hand_size];
        for (const each of [one, other]) each.hand = each.player === view.viewer && each.hand_size === 0 ? [] : null;
      }
      break;
    }
    case 'turns_to_lose':
      view.lost_turns[event.to] = (view.lost_turns[event.to] ?? 0) + event.count;
      break;
    case 'turn_lost':
      view.lost_turns[event.player] = event.count;
      break;
    case 'card_given': {
      const [giver, receiver] = [seatOfPlayer(view, event.player), seatOfPlayer(view, event.to)];
      if (giver && receiver) {
        if (event.from === 'hand') takeFromHand(giver, [event.card ?? '']);
        else if (event.from === 'face_down' && event.place !== null) giver.face_down[event.place - 1] = null;
        else if (event.card) takeFaceUp(giver, event.card);
        addToHand(view, receiver, event.card === null ? null : [event.card], 1);
      }
      break;
    }
    case 'cards_drawn':
      if (seat) addToHand(view, seat, event.cards, event.count);
      view.draw_pile -= event.count;
      break;
    case 'card_peeked_at':
      if (seat && event.card) seat.face_down[event.place - 1] = { card: event.card };
      break;
    case 'cards_swapped':
      if (seat) {
        seat.face_up[event.place - 1] = event.hand;
        if (seat.hand) {
          takeFromHand(seat, [event.hand]);
          addToHand(view, seat, [event.up], 1);
        }
      }
      break;
    case 'went_out':
      view.out = [...view.out, event.player];
      break;
    case 'brought_back':
      view.out = view.out.filter((each) => each !== event.player);
      break;
    case 'draw_offered':
    case 'agreed_to_draw':
      view.draw_agreed = [...view.draw_agreed, event.player];
      break;
    case 'draw_withdrawn':
      view.draw_agreed = [];
      break;
  }
}

function seatOfPlayer(view: KarmaView, player: number): SeatView | undefined {
  return view.seats.find((each) => each.player === player);
}

function takeFromHand(seat: SeatView, cards: readonly string[]): void {
  seat.hand_size -= cards.length;
  if (seat.hand === null) return;
  const hand = [...seat.hand];
  for (const card of cards) {
    const at = hand.indexOf(card);
    if (at >= 0) hand.splice(at, 1);
  }
  seat.hand = hand;
}

function takeFaceUp(seat: SeatView, card: string): void {
  const at = seat.face_up.indexOf(card);
  if (at >= 0) seat.face_up[at] = null;
}

function addToHand(view: KarmaView, seat: SeatView, cards: readonly string[] | null, count: number): void {
  seat.hand_size += count;
  if (seat.player !== view.viewer) return;
  seat.hand = seat.hand !== null && cards !== null ? sortHand([...seat.hand, ...cards]) : seat.hand;
}

/** After players changed seats: hands seen so far belong to others, and the viewer's new hand is not known yet. */
function hideUnknownHands(view: KarmaView): void {
  for (const seat of view.seats) seat.hand = seat.player === view.viewer && seat.hand_size === 0 ? [] : null;
}
