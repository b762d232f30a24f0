// View model of one player at a SET table: selected cards, the pending request, and short-lived messages.

import type { LiveTable } from '../../lib/liveTable.svelte.ts';
import type { GameEvent, TableEvent } from '../../generated/games.ts';
import type { PausedSetView, SetEvent, SetView } from '../../generated/set.ts';
import { eventText } from '../../lib/eventTexts.ts';
import { moment } from '../../lib/sounds.ts';
import type { Text } from '../../lib/texts.ts';
import { momentOf } from './moments.ts';

/** How long the explanation of a wrong SET stays on the cards. */
const WRONG_MS = 7000;
const NOTE_MS = 5000;
const TAKEN_MS = 4000;
const SETTLED_MS = 1500;

export interface Note {
  /** `taken`: another player was faster, without penalty. `tip`: what to do. `no`: a refusal. */
  sort: 'taken' | 'tip' | 'no';
  text: Text;
  clause: string | null;
}

export class SetTableModel {
  chosen = $state.raw<string[]>([]);
  /** The request that is not answered yet. */
  pending = $state<'call' | 'take' | 'other' | null>(null);
  note = $state.raw<Note | null>(null);
  /** The latest wrong SET, shown to everybody for a while. */
  wrong = $state.raw<Extract<SetEvent, { event: 'wrong_set' }> | null>(null);
  /** The SET taken last, shown for a moment. */
  taken = $state.raw<Extract<SetEvent, { event: 'set_taken' }> | null>(null);
  /** The `call_settled` event of the current call: who was first, and by what margin. */
  settled = $state.raw<TableEvent | null>(null);
  /** The game clock; updated while a countdown runs. */
  now = $state(0);

  private readonly live: LiveTable;
  private lastEventId = 0;
  private timers: { [what: string]: ReturnType<typeof setTimeout> } = {};

  constructor(live: LiveTable) {
    this.live = live;
    this.lastEventId = live.log.lines.at(-1)?.id ?? 0;
    this.now = this.time();
  }

  /** The latest View; null while the game is paused. */
  get view(): SetView | null {
    const view = this.live.view as SetView | PausedSetView;
    return view.paused ? null : view;
  }

  /** Whether the connection is lost at the moment. */
  get offline(): boolean {
    return this.live.status === 'reconnecting';
  }

  /** The game clock at this moment. */
  time(): number {
    return this.live.time.game + Date.now() - this.live.time.here;
  }

  tick(): void {
    this.now = this.time();
  }

  offers(move: string): boolean {
    return this.view?.moves.includes(move) ?? false;
  }

  /** Whether the viewer has control, or has called and waits for the answer. */
  get hasControl(): boolean {
    const view = this.view;
    return (
      view !== null &&
      view.viewer !== null &&
      (view.control === view.viewer || (this.pending === 'call' && view.control === null))
    );
  }

  /** Milliseconds until the viewer may call again. */
  get cooldownMs(): number {
    const view = this.view;
    if (!view || view.viewer === null) return 0;
    return Math.max(0, (view.may_call_from[view.viewer] ?? 0) - this.now);
  }

  /** Whether cards can be picked: the View offers a take, or the viewer has just called. */
  get canPick(): boolean {
    return (this.view !== null && this.view.take !== null) || this.pending === 'call';
  }

  get canCall(): boolean {
    return this.offers('call') && this.pending === null;
  }

  call(): void {
    if (!this.canCall) return;
    this.tick();
    if (this.cooldownMs > 0) {
      this.showNote({
        sort: 'tip',
        text: { key: 'page.set.wait', parameters: { n: Math.ceil(this.cooldownMs / 1000) } },
        clause: null,
      });
      return;
    }
    this.live.move('call');
    this.pending = 'call';
    this.chosen = [];
    this.clear('wrong');
    this.clear('note');
  }

  /** How many cards a SET has here. */
  private get setSize(): number {
    return (this.live.view as SetView | PausedSetView).flags.set_size;
  }

  /** Selects or deselects a card. The last one sends the SET. */
  pick(card: string): void {
    if (this.pending === 'take') return;
    if (!this.canPick) {
      if (this.offers('call')) {
        this.showNote({ sort: 'tip', text: { key: 'page.set.call_first' }, clause: null });
      }
      return;
    }
    this.clear('wrong');
    this.clear('note');
    this.chosen = this.chosen.includes(card)
      ? this.chosen.filter((each) => each !== card)
      : this.chosen.length < this.setSize
        ? [...this.chosen, card]
        : this.chosen;
    if (this.chosen.length === this.setSize) this.take();
  }

  clearSelection(): void {
    if (this.pending !== 'take') this.chosen = [];
    this.clear('wrong');
    this.clear('note');
  }

  /** Sends any other offered move. */
  perform(move: string): void {
    if (!this.offers(move) || this.pending !== null) return;
    this.live.move(move);
    this.pending = 'other';
    this.clear('note');
  }

  private take(): void {
    const view = this.view;
    // After a call the selection waits until the server confirms that the call was the first.
    if (!view || view.take === null) return;
    this.tick();
    if (view.take.not_before !== undefined && this.cooldownMs > 0) {
      this.chosen = [];
      this.showNote({
        sort: 'tip',
        text: { key: 'page.set.wait', parameters: { n: Math.ceil(this.cooldownMs / 1000) } },
        clause: null,
      });
      return;
    }
    this.live.move(`take ${this.chosen.join(' ')}`);
    this.pending = 'take';
  }

  /** Handles a new View: deselects cards that are gone, and continues a call that was confirmed. */
  viewChanged(view: SetView): void {
    this.tick();
    // eslint-disable-next-line svelte/prefer-svelte-reactivity -- used once, here
    const onTable = new Set([
      ...(view.layout ?? []),
      ...(view.centre ?? []),
      ...(view.previous ?? []),
      ...(view.personal?.[view.viewer ?? -1] ?? []),
    ]);
    const remaining = this.chosen.filter((card) => onTable.has(card));
    if (remaining.length !== this.chosen.length) this.chosen = remaining;
    if (view.control === null) this.settled = null;
    if (view.control !== null && this.pending === 'call') {
      this.pending = null;
      if (view.control !== view.viewer) this.chosen = [];
      else if (this.chosen.length === this.setSize) this.take();
    }
    if (view.control !== null && view.control !== view.viewer && this.chosen.length > 0) this.chosen = [];
    // A call that was given up or ran out leaves nothing picked.
    if (view.take === null && this.pending !== 'call' && this.chosen.length > 0) this.chosen = [];
  }

  /** Handles the moment when no request is open any more. */
  allAnswered(): void {
    if (this.pending === 'take') this.chosen = [];
    if (this.pending !== 'call') this.pending = null;
    // A call is acknowledged before it is settled. If it comes to nothing, the player may call again.
    else
      this.schedule('call', SETTLED_MS, () => {
        if (this.pending === 'call') this.pending = null;
      });
  }

  /** Shows why the server refused a request. */
  showRejection(): void {
    const rejection = this.live.rejection;
    if (rejection === null) return;
    this.pending = null;
    this.chosen = [];
    // Three card names are too long for a short message.
    const text = rejection.text.key === 'set.refusal.taken' ? { key: 'page.set.gone' } : rejection.text;
    this.showNote({ sort: rejection.taken ? 'taken' : 'no', text, clause: rejection.taken ? null : rejection.clause });
  }

  /** Handles the events added to the log since the last call. */
  processEvents(): void {
    for (const { id, event } of this.live.log.lines) {
      if (id <= this.lastEventId) continue;
      this.lastEventId = id;
      this.handleEvent(event);
      // A taken SET sounds when it reaches the chip.
      const name = event.event === 'set_taken' ? null : momentOf(event, this.view?.viewer ?? null);
      if (name !== null) moment(name, `${this.live.code} ${id}`);
    }
  }

  /** Events that say what a failed call cost. */
  private static readonly COSTS: readonly string[] = ['point_lost', 'personal_card_given', 'no_penalty_card'];
  /** A call that failed without a wrong SET, until its cost follows. */
  private failed: GameEvent | null = null;

  private handleEvent(event: GameEvent): void {
    if (event.event === 'call_failed') this.failed = event.failure === 'wrong_set' ? null : event;
    if (this.failed !== null && SetTableModel.COSTS.includes(event.event)) {
      const failing = [eventText('set', this.failed), eventText('set', event)];
      this.showNote({ sort: 'no', text: { key: 'page.set.failed', parameters: { failing } }, clause: null });
      this.failed = null;
    }
    if (event.event === 'call_settled') this.settled = event;
    if (event.event === 'wrong_set') {
      this.wrong = event;
      this.chosen = [];
      this.clearLater('wrong', WRONG_MS);
    }
    if (event.event === 'set_taken' || event.event === 'called') this.clear('wrong');
    if (event.event === 'set_taken') {
      this.taken = event;
      this.clearLater('taken', TAKEN_MS);
    }
  }

  showNote(note: Note): void {
    this.note = note;
    this.clearLater('note', NOTE_MS);
  }

  clear(what: 'wrong' | 'taken' | 'note'): void {
    clearTimeout(this.timers[what]);
    if (this[what] !== null) this[what] = null;
  }

  private clearLater(what: 'wrong' | 'taken' | 'note', milliseconds: number): void {
    this.schedule(what, milliseconds, () => this.clear(what));
  }

  private schedule(what: string, milliseconds: number, act: () => void): void {
    clearTimeout(this.timers[what]);
    this.timers[what] = setTimeout(act, milliseconds);
  }
}
