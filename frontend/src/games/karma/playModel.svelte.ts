// How a player picks cards and moves, at a table and in a lesson alike: what is selected, and which move it stands for.
// There are no rules here: the View offers every legal move, and says which cards come next.

import { PLACES, type KarmaAwaited, type KarmaView, type SeatView } from '../../generated/karma.ts';
import type { Rejection } from '../../lib/liveTable.svelte.ts';
import { settings } from '../../lib/settings.svelte.ts';
import type { Text } from '../../lib/texts.ts';
import { sortHand } from './applyEvent.ts';
import { cardAppearances } from './cardAppearances.svelte.ts';
import type { CardGroup } from './Hand.svelte';
import { cardsWithIds, moveOf, selectionOf, type Selection } from './selection.ts';
import { grouped, isNumber, offerOf, playMove, seatOf, type Offer } from './view.ts';

/** A suggested move and why; a move of null means that there is none. */
export interface Hint {
  move: string | null;
  why: Text | null;
}

export abstract class PlayModel {
  selection = $state.raw<Selection | null>(null);
  /** The move that is not answered yet. */
  sent = $state.raw<string | null>(null);
  refusal = $state.raw<Rejection | null>(null);
  hint = $state.raw<Hint | null>(null);
  /** Why the selected karma card would be wasted. */
  warning = $state.raw<Text | null>(null);

  private readonly agreed = $derived.by(() =>
    JSON.stringify({ edition: this.view.edition, options: this.view.options }),
  );
  readonly appearances = $derived.by(() =>
    cardAppearances(JSON.parse(this.agreed) as Pick<KarmaView, 'edition' | 'options'>),
  );
  readonly displayNames = $derived.by(() => ({ players: this.names, cards: this.appearances.names }));
  /** The question to the viewer; null while the screen lags behind. */
  readonly offer: Offer | null = $derived.by(() => (this.settled ? offerOf(this.latest) : null));
  readonly awaited: KarmaAwaited | null = $derived.by(() =>
    this.settled ? (this.latest.awaits.find((each) => each.player === this.latest.viewer) ?? null) : null,
  );
  /** Index of the viewer's seat. */
  readonly own: number = $derived.by(() => Math.max(0, seatOf(this.view, this.view.viewer)));
  readonly mine: SeatView | null = $derived.by(() => {
    const seat = this.view.viewer === null ? null : (this.view.seats[this.own] ?? null);
    const revealed = seat?.face_up.some((each) => each !== null) ?? false;
    if (seat === null || this.view.turn !== null || !this.view.chosen || !seat.hand || revealed) return seat;
    // Face-up cards that are chosen but not revealed yet: show them on the viewer's table already.
    const hand = [...seat.hand];
    for (const card of this.view.chosen) hand.splice(hand.indexOf(card), 1);
    return { ...seat, hand, hand_size: hand.length, face_up: this.view.chosen };
  });
  readonly groups: CardGroup[] = $derived.by(() => this.groupHand());
  /** The move that the selection stands for; null while it is incomplete. */
  readonly chosenMove: string | null = $derived.by(() =>
    this.selection === null || this.offer === null ? null : moveOf(this.selection, this.offer),
  );
  /** The numbers of identical cards that can be played instead of the selected one. */
  readonly otherCounts: number[] = $derived.by(() => {
    const selection = this.selection;
    if (selection?.sort !== 'play' && selection?.sort !== 'up') return [];
    return (this.offer?.play.get(selection.card) ?? []).filter((each) => each !== selection.count);
  });
  /** The selected karma card, whose effect is shown before it is played. */
  readonly karmaCard: string | null = $derived.by(() => {
    const selection = this.selection;
    const plays = selection?.sort === 'play' || selection?.sort === 'up';
    return plays && !isNumber(selection.card) ? selection.card : null;
  });

  /** The latest View. */
  abstract get latest(): KarmaView;
  /** The View on the screen, which lags behind the latest one while animations play. */
  abstract get view(): KarmaView;
  /** Does the screen show the latest View, and may the viewer act? */
  abstract get settled(): boolean;
  abstract get names(): readonly string[];
  /** Cards on their way to the viewer's hand. */
  abstract get toHand(): readonly string[];
  protected abstract submit(move: string): void;
  /** Finds out why a move is refused. */
  protected abstract explain(move: string): void;
  /** Shows the latest View at once. */
  protected abstract catchUp(): void;
  /** A karma card is selected: finds out whether it would be wasted. */
  protected warn(_move: string): void {
    this.warning = null;
  }

  // ---------------------------------------------------------------- Own hand

  private groupHand(): CardGroup[] {
    if (this.mine?.hand == null) return [];
    const cards = sortHand(this.mine.hand);
    const kinds =
      this.awaited?.question === 'face_up'
        ? cardsWithIds(cards).map((each) => ({ ...each, count: 1 }))
        : grouped(cards).map((each) => ({ ...each, id: each.card }));
    return kinds.map(({ id, card, count }) => ({
      id,
      card,
      count,
      playable: this.isPlayable(card),
      selected: this.selectedOf(id, card),
      sent: this.sent !== null && this.sent.split(' ').includes(card) && this.playsFrom('hand'),
      flying: this.toHand.filter((each) => each === card).length >= count,
    }));
  }

  private playsFrom(location: KarmaView['play_from']): boolean {
    return this.latest.play_from === location;
  }

  private isPlayable(card: string): boolean {
    const offer = this.offer;
    if (offer === null) return false;
    if (offer.question === 'face_up') return true;
    if (offer.question === 'give') return offer.give.includes(card) && this.playsFrom('hand');
    if (offer.question === 'swap') return [...offer.swap.values()].some((each) => each.includes(card));
    return this.playsFrom('hand') && offer.play.has(card);
  }

  private selectedOf(id: string, card: string): number {
    const selection = this.selection;
    if (selection?.sort === 'face up') return selection.ids.includes(id) ? 1 : 0;
    if (selection?.sort === 'play') return selection.card === card ? selection.count : 0;
    if (selection?.sort === 'give') return selection.card === card && this.playsFrom('hand') ? 1 : 0;
    if (selection?.sort === 'swap') return selection.hand === card ? 1 : 0;
    return 0;
  }

  /** Starts a tap: an early one only ends the animation, because the player has not seen the table yet. */
  private startTap(): boolean {
    this.refusal = null;
    this.hint = null;
    if (this.settled) return true;
    this.catchUp();
    return false;
  }

  tapHand(group: CardGroup): void {
    if (!this.startTap()) return;
    const [offer, card] = [this.offer, group.card];
    if (offer === null) this.explain(playMove(card, 1));
    else if (offer.question === 'face_up') this.tapFaceUp(group.id);
    else if (offer.question === 'give' && offer.give.includes(card)) this.toggle({ sort: 'give', card });
    else if (offer.question === 'swap') this.tapSwap('hand', card);
    else if (this.playsFrom('hand') && offer.play.has(card)) this.tapPlay('play', card, offer.play.get(card) ?? [1]);
    else this.explain(offer.question === 'give' ? `give ${card}` : playMove(card, 1));
  }

  /** Plays a card that was dragged to the pile. */
  dropHand(group: CardGroup): void {
    if (!this.settled || !this.offer?.play.has(group.card)) {
      this.tapHand(group);
      return;
    }
    const selection = this.selection;
    const count = selection?.sort === 'play' && selection.card === group.card ? selection.count : 1;
    this.send(playMove(group.card, count));
  }

  private tapFaceUp(id: string): void {
    const ids = this.selection?.sort === 'face up' ? this.selection.ids : [];
    const next = ids.includes(id) ? ids.filter((each) => each !== id) : [...ids, id].slice(-PLACES);
    this.selection = next.length > 0 ? { sort: 'face up', ids: next } : null;
  }

  /** One tap plays a single number. Several identical cards are all selected, a karma card once; a tap changes that. */
  private tapPlay(sort: 'play' | 'up', card: string, counts: number[]): void {
    if (isNumber(card) && counts.length === 1 && !settings.ask) {
      this.send(playMove(card, counts[0] ?? 1));
      return;
    }
    const order = isNumber(card) ? [...counts].reverse() : counts;
    const selection = this.selection;
    const now = selection?.sort === sort && selection.card === card ? order.indexOf(selection.count) : -1;
    const next = order[now + 1];
    this.selection = next === undefined ? null : { sort, card, count: next };
    if (this.karmaCard !== null) this.warn(playMove(card, next ?? 1));
  }

  private tapSwap(which: 'up' | 'hand', card: string): void {
    const before = this.selection?.sort === 'swap' ? this.selection : { up: '', hand: '' };
    const next = { up: before.up, hand: before.hand, [which]: before[which] === card ? '' : card };
    this.selection = next.up === '' && next.hand === '' ? null : { sort: 'swap', ...next };
  }

  private toggle(next: Selection): void {
    this.selection = JSON.stringify(this.selection) === JSON.stringify(next) ? null : next;
  }

  /** Chooses a player; who wants to confirm every play does so. */
  choose(player: number): void {
    if (!this.startTap()) return;
    if (settings.ask) this.toggle({ sort: 'player', player });
    else this.send(`choose ${player}`);
  }

  // ---------------------------------------------------------------- Own table cards, by place from 1

  tapTable(place: number): void {
    if (!this.startTap()) return;
    const offer = this.offer;
    const up = this.mine?.face_up[place - 1] ?? null;
    const down = this.mine?.face_down[place - 1] ?? null;
    const fromUp = up !== null && this.playsFrom('face_up');
    if (offer?.question === 'peek' && offer.peek.includes(place)) this.toggle({ sort: 'place', verb: 'peek', place });
    else if (offer?.question === 'swap' && up !== null) this.tapSwap('up', up);
    else if (offer?.question === 'give' && fromUp && offer.give.includes(up)) this.toggle({ sort: 'give', card: up });
    else if (offer?.question === 'give' && offer.giveFaceDown.includes(place))
      this.toggle({ sort: 'place', verb: 'give face down', place });
    else if (offer && fromUp && offer.play.has(up)) this.tapPlay('up', up, offer.play.get(up) ?? [1]);
    else if (up === null && down !== null && offer?.flip.includes(place)) this.flip(place);
    else if (up !== null) this.explain(playMove(up, 1));
    else if (down !== null) this.explain(`flip ${place}`);
  }

  private flip(place: number): void {
    if (settings.ask) this.toggle({ sort: 'place', verb: 'flip', place });
    else this.send(`flip ${place}`);
  }

  tablePlayable = (place: number): boolean => {
    const up = this.mine?.face_up[place - 1] ?? null;
    const offer = this.offer;
    if (offer === null) return false;
    if (offer.question === 'swap') return up !== null && offer.swap.has(up);
    if (up !== null && this.playsFrom('face_up')) return offer.play.has(up) || offer.give.includes(up);
    const hidden = offer.flip.includes(place) || offer.giveFaceDown.includes(place);
    return offer.peek.includes(place) || (up === null && hidden);
  };

  tableSelected = (place: number): boolean => {
    const up = this.mine?.face_up[place - 1] ?? null;
    const selection = this.selection;
    if (selection?.sort === 'place') return selection.place === place;
    if (selection?.sort === 'give') return this.playsFrom('face_up') && selection.card === up;
    if (selection?.sort === 'swap') return selection.up === up && up !== null;
    if (selection?.sort !== 'up' || selection.card !== up) return false;
    const same = (this.mine?.face_up ?? []).slice(0, place - 1).filter((each) => each === up).length;
    return same < selection.count;
  };

  tableSent = (place: number, up: string | null): boolean => {
    if (this.sent === null) return false;
    const named = up !== null && this.sent.split(' ').includes(up);
    return this.sent === `flip ${place}` || (named && this.playsFrom('face_up'));
  };

  // ---------------------------------------------------------------- Sending

  send(move: string): void {
    this.clear();
    this.sent = move;
    this.submit(move);
  }

  sendChosen(): void {
    if (this.chosenMove !== null) this.send(this.chosenMove);
  }

  /** Selects what a move consists of, so that it can be sent or undone. */
  protected selectMove(move: string): void {
    this.selection = selectionOf(move, this.latest.play_from);
    if (this.karmaCard !== null) this.warn(move);
  }

  /** Forgets selection, hint and refusal. */
  clear(): void {
    this.selection = null;
    this.hint = null;
    this.refusal = null;
  }

  /** Handles a new question of the table. */
  questionChanged(): void {
    this.selection = null;
    this.sent = null;
    this.hint = null;
  }
}
