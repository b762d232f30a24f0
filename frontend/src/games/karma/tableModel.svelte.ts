// View model of one player at a Karma table: what is selected, what was sent, and what the table says about it.
// There are no rules here: the View offers every legal move, and says which cards come next.

import type { KarmaAwaited, KarmaView, SeatView } from '../../generated/karma.ts';
import type { LiveTable, Rejection } from '../../lib/liveTable.svelte.ts';
import { playerNames } from '../../lib/playerNames.ts';
import { settings } from '../../lib/settings.svelte.ts';
import { AnimationQueue } from './animationQueue.svelte.ts';
import { sortHand } from './applyEvent.ts';
import { cardAppearances } from './cardAppearances.svelte.ts';
import type { CardGroup } from './Hand.svelte';
import { faceUpMove, grouped, offerOf, playMove, seatOf, type Offer } from './view.ts';

type Selection =
  | { sort: 'play'; card: string; count: number }
  | { sort: 'up'; card: string; count: number }
  | { sort: 'place'; verb: 'flip' | 'peek' | 'give face down'; place: number }
  | { sort: 'give'; card: string }
  | { sort: 'swap'; up: string; hand: string }
  | { sort: 'player'; player: number }
  | { sort: 'three'; ids: string[] };

export class KarmaTableModel {
  readonly live: LiveTable;
  readonly animations: AnimationQueue;
  selection = $state.raw<Selection | null>(null);
  /** The move that is not answered yet. */
  sent = $state.raw<string | null>(null);
  refusal = $state.raw<Rejection | null>(null);
  /** A hint as a move; empty if there is none. */
  hint = $state<string | null>(null);

  /** The View on the screen, which lags behind the latest one while animations play. */
  readonly view: KarmaView = $derived.by(() => this.animations.shown ?? this.latest);
  readonly names: string[] = $derived.by(() => playerNames(this.live.table));
  private readonly agreed = $derived.by(() =>
    JSON.stringify({ edition: this.view.edition, options: this.view.options }),
  );
  readonly appearances = $derived.by(() =>
    cardAppearances(JSON.parse(this.agreed) as Pick<KarmaView, 'edition' | 'options'>),
  );
  readonly displayNames = $derived.by(() => ({ players: this.names, cards: this.appearances.names }));
  /** The question to the viewer; null while animations play. */
  readonly offer: Offer | null = $derived.by(() => (this.animations.playing ? null : offerOf(this.latest)));
  readonly awaited: KarmaAwaited | null = $derived.by(
    () => this.latest.awaits.find((each) => each.player === this.latest.viewer) ?? null,
  );
  /** Index of the viewer's seat. */
  readonly own: number = $derived.by(() => Math.max(0, seatOf(this.view, this.view.viewer)));
  readonly mine: SeatView | null = $derived.by(() => {
    const seat = this.view.viewer === null ? null : (this.view.seats[this.own] ?? null);
    if (seat === null || this.view.turn !== null || !this.view.chosen || !seat.hand) return seat;
    // Face-up cards that are chosen but not revealed yet: show them on the viewer's table already.
    const hand = [...seat.hand];
    for (const card of this.view.chosen) hand.splice(hand.indexOf(card), 1);
    return { ...seat, hand, hand_size: hand.length, face_up: this.view.chosen };
  });
  readonly groups: CardGroup[] = $derived.by(() => this.groupHand());
  /** The move that the selection stands for; null while it is incomplete. */
  readonly chosenMove: string | null = $derived.by(() => this.readSelection());
  /** Changes with every question of the table. */
  readonly moment: string = $derived.by(() =>
    [this.live.game, this.latest.turns, this.awaited?.question, this.awaited?.power, ...this.latest.moves].join(),
  );

  constructor(live: LiveTable, view: KarmaView) {
    this.live = live;
    this.animations = new AnimationQueue(view);
    live.presenter = this.animations;
  }

  /** The server's latest View. */
  get latest(): KarmaView {
    return this.live.view as KarmaView;
  }

  close(): void {
    if (this.live.presenter === this.animations) this.live.presenter = null;
    this.animations.skip();
  }

  // ---------------------------------------------------------------- Own hand

  private groupHand(): CardGroup[] {
    if (this.mine?.hand == null) return [];
    const flying = this.animations.toHand;
    const cards = sortHand(this.mine.hand);
    const kinds =
      this.awaited?.question === 'face_up'
        ? cards.map((card, i) => ({
            card,
            count: 1,
            id: `${card}.${cards.slice(0, i).filter((each) => each === card).length}`,
          }))
        : grouped(cards).map((each) => ({ ...each, id: each.card }));
    return kinds.map(({ id, card, count }) => ({
      id,
      card,
      count,
      playable: this.isPlayable(card),
      selected: this.selectedOf(id, card),
      sent: this.sent !== null && this.sent.split(' ').includes(card) && this.playsFrom('hand'),
      flying: flying.filter((each) => each === card).length >= count,
    }));
  }

  playsFrom(location: KarmaView['play_from']): boolean {
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
    if (selection?.sort === 'three') return selection.ids.includes(id) ? 1 : 0;
    if (selection?.sort === 'play') return selection.card === card ? selection.count : 0;
    if (selection?.sort === 'give') return selection.card === card && this.playsFrom('hand') ? 1 : 0;
    if (selection?.sort === 'swap') return selection.hand === card ? 1 : 0;
    return 0;
  }

  tapHand(group: CardGroup): void {
    this.refusal = null;
    this.animations.skip();
    const now = offerOf(this.latest);
    if (now === null) {
      if (this.live.status === 'connected') void this.explain(playMove(group.card, 1));
    } else if (now.question === 'face_up') this.tapThree(group.id);
    else if (now.question === 'give' && now.give.includes(group.card)) this.toggle({ sort: 'give', card: group.card });
    else if (now.question === 'swap') this.tapSwap('hand', group.card);
    else if (this.playsFrom('hand') && now.play.has(group.card))
      this.tapPlay('play', group.card, now.play.get(group.card) ?? [1]);
    else void this.explain(now.question === 'give' ? `give ${group.card}` : playMove(group.card, 1));
  }

  dropHand(group: CardGroup): void {
    const now = offerOf(this.latest);
    const selected = this.selection?.sort === 'play' && this.selection.card === group.card ? this.selection.count : 1;
    if (!now || now.question === 'face_up' || !now.play.has(group.card)) this.tapHand(group);
    else this.send(playMove(group.card, selected));
  }

  private tapThree(id: string): void {
    const ids = this.selection?.sort === 'three' ? this.selection.ids : [];
    const next = ids.includes(id) ? ids.filter((each) => each !== id) : [...ids, id].slice(-3);
    this.selection = next.length > 0 ? { sort: 'three', ids: next } : null;
  }

  private tapPlay(sort: 'play' | 'up', card: string, counts: number[]): void {
    const before = this.selection?.sort === sort && this.selection.card === card ? this.selection.count : 0;
    const next = counts.find((each) => each > before);
    const atOnce = sort === 'play' && counts.length === 1 && !settings.ask;
    if (next === undefined) this.selection = null;
    else if (atOnce && this.latest.awaits[0]?.question === 'play') this.send(playMove(card, next));
    else this.selection = { sort, card, count: next };
  }

  private tapSwap(which: 'up' | 'hand', card: string): void {
    const before = this.selection?.sort === 'swap' ? this.selection : { up: '', hand: '' };
    const next = { up: before.up, hand: before.hand, [which]: before[which] === card ? '' : card };
    this.selection = next.up === '' && next.hand === '' ? null : { sort: 'swap', ...next };
  }

  toggle(next: Selection): void {
    this.selection = JSON.stringify(this.selection) === JSON.stringify(next) ? null : next;
  }

  // ---------------------------------------------------------------- Own table cards, by place from 1

  tapTable(place: number): void {
    this.refusal = null;
    this.animations.skip();
    const now = offerOf(this.latest);
    const up = this.mine?.face_up[place - 1] ?? null;
    const down = this.mine?.face_down[place - 1] ?? null;
    const fromUp = up !== null && this.playsFrom('face_up');
    if (now?.question === 'peek' && now.peek.includes(place)) this.toggle({ sort: 'place', verb: 'peek', place });
    else if (now?.question === 'swap' && up !== null) this.tapSwap('up', up);
    else if (now?.question === 'give' && fromUp && now.give.includes(up)) this.toggle({ sort: 'give', card: up });
    else if (now?.question === 'give' && now.giveFaceDown.includes(place))
      this.toggle({ sort: 'place', verb: 'give face down', place });
    else if (now !== null && fromUp && now.play.has(up)) this.tapPlay('up', up, now.play.get(up) ?? [1]);
    else if (up === null && down !== null && now?.flip.includes(place))
      this.toggle({ sort: 'place', verb: 'flip', place });
    else if (up !== null) void this.explain(playMove(up, 1));
    else if (down !== null) void this.explain(`flip ${place}`);
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

  private readSelection(): string | null {
    const [selection, offer] = [this.selection, this.offer];
    if (selection === null || offer === null) return null;
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
      case 'three': {
        const cards = selection.ids.map((id) => id.slice(0, id.lastIndexOf('.')));
        return cards.length === 3 ? faceUpMove(offer, cards) : null;
      }
    }
  }

  send(move: string): void {
    this.clear();
    this.sent = move;
    this.live.move(move);
  }

  sendChosen(): void {
    if (this.chosenMove !== null) this.send(this.chosenMove);
  }

  async explain(move: string): Promise<void> {
    this.refusal = await this.live.explain(move);
  }

  async askHint(): Promise<void> {
    this.refusal = null;
    this.hint = (await this.live.hint()) ?? '';
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

  /** Handles a refusal of the server. */
  rejected(rejection: Rejection): void {
    this.refusal = rejection;
    this.sent = null;
  }
}
