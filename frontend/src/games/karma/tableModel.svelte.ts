// View model of one player at a live Karma table: the animations between the server's Views, hints and refusals.

import type { KarmaView } from '../../generated/karma.ts';
import type { LiveTable, Rejection } from '../../lib/liveTable.svelte.ts';
import { playerNames } from '../../lib/playerNames.ts';
import { AnimationQueue } from './animationQueue.svelte.ts';
import { PlayModel } from './playModel.svelte.ts';

export class KarmaTableModel extends PlayModel {
  readonly live: LiveTable;
  readonly animations: AnimationQueue;

  readonly view: KarmaView = $derived.by(() => this.animations.shown ?? this.latest);
  readonly names: readonly string[] = $derived.by(() => playerNames(this.live.table));
  /** Changes with every question of the table. */
  readonly moment: string = $derived.by(() =>
    [
      this.live.game,
      this.latest.turns,
      JSON.stringify(this.latest.awaits.filter((each) => each.player === this.latest.viewer)),
      ...this.latest.moves,
    ].join(),
  );

  constructor(live: LiveTable, view: KarmaView) {
    super();
    this.live = live;
    this.animations = new AnimationQueue(view, (card) => this.appearances.of(card));
    live.presenter = this.animations;
  }

  get latest(): KarmaView {
    return this.live.view as KarmaView;
  }

  get settled(): boolean {
    return !this.animations.playing;
  }

  get toHand(): readonly string[] {
    return this.animations.toHand;
  }

  close(): void {
    if (this.live.presenter === this.animations) this.live.presenter = null;
    this.animations.skip();
  }

  /** Ends the animation; says whether there was one. */
  catchUp(): boolean {
    const lagged = this.animations.playing;
    this.animations.skip();
    return lagged;
  }

  protected submit(move: string): void {
    this.live.move(move);
  }

  protected explain(move: string): void {
    if (this.live.status === 'connected') void this.live.explain(move).then((refusal) => (this.refusal = refusal));
  }

  protected override warn(move: string): void {
    const selection = this.selection;
    this.warning = null;
    void this.live.warning(move).then((warning) => {
      if (this.selection === selection) this.warning = warning;
    });
  }

  /** Asks for a hint and selects what it suggests, so that it can be played or undone. */
  async askHint(): Promise<void> {
    this.clear();
    const moment = this.moment;
    const hint = await this.live.hint();
    if (moment !== this.moment) return;
    this.hint = hint ?? { move: null, why: null };
    if (hint?.move) this.selectMove(hint.move);
  }

  /** Handles a refusal of the server. */
  rejected(rejection: Rejection): void {
    this.refusal = rejection;
    this.sent = null;
  }
}
