// Playback of a finished game: which frame is shown, how it was reached, and when the next one follows.

import { frameDelay, type ReplayTimeline } from './replayTimeline.ts';

/** Whether a frame was reached by a step forward or by a jump. */
export type Transition = 'step' | 'jump';

const LONGEST_HOLD_MS = 900;
/** Share of a frame's time after which its animation must be over. */
const HOLD = 0.55;

export class ReplayPlayback {
  timeline = $state.raw<ReplayTimeline | null>(null);
  frame = $state(0);
  transition = $state<Transition>('jump');
  playing = $state(false);
  speed = $state(1);
  trueTime = $state(false);
  private timer: ReturnType<typeof setTimeout> | undefined;
  /** Called whenever the playback rests on a frame. */
  private readonly onrest: () => void;

  constructor(onrest: () => void) {
    this.onrest = onrest;
  }

  /** How long the events of the current frame may be shown, in milliseconds. */
  get hold(): number {
    return this.playing && this.timeline !== null
      ? Math.min(LONGEST_HOLD_MS, frameDelay(this.timeline, this.frame, this.speed, this.trueTime) * HOLD)
      : LONGEST_HOLD_MS;
  }

  /** Stops, and shows a frame. */
  goTo(wanted: number, how: Transition): void {
    if (this.playing) this.pause();
    this.show(wanted, how);
  }
  first(): void {
    this.goTo(0, 'jump');
  }
  last(): void {
    this.goTo(this.timeline?.length ?? 0, 'jump');
  }
  forward(): void {
    this.goTo(this.frame + 1, 'step');
  }
  back(): void {
    this.goTo(this.frame - 1, 'jump');
  }
  /** Stops at the next frame with this mark, if there is one. */
  jump(mark: string, direction: 1 | -1): void {
    const target = this.timeline?.find(mark, this.frame, direction) ?? null;
    if (target !== null) this.goTo(target, 'jump');
  }

  toggle(): void {
    if (this.playing) this.pause();
    else this.play();
  }
  /** Follows a change of the speed at once. */
  pace(): void {
    if (this.playing) this.schedule();
  }
  stop(): void {
    clearTimeout(this.timer);
  }

  private show(wanted: number, how: Transition): void {
    if (this.timeline === null) return;
    const next = Math.max(0, Math.min(wanted, this.timeline.length));
    this.transition = how === 'step' && next === this.frame + 1 ? 'step' : 'jump';
    this.frame = next;
    if (!this.playing) this.onrest();
  }
  private play(): void {
    if (this.timeline === null) return;
    if (this.frame >= this.timeline.length) this.show(0, 'jump');
    this.playing = true;
    this.schedule();
  }
  private pause(): void {
    this.playing = false;
    clearTimeout(this.timer);
    this.onrest();
  }
  private schedule(): void {
    clearTimeout(this.timer);
    if (this.timeline === null || !this.playing) return;
    if (this.frame >= this.timeline.length) {
      this.pause();
      return;
    }
    this.timer = setTimeout(
      () => {
        this.show(this.frame + 1, 'step');
        this.schedule();
      },
      frameDelay(this.timeline, this.frame, this.speed, this.trueTime),
    );
  }
}
