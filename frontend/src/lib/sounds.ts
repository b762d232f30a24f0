// Sound and haptics of the table: `moment(name)`.

import { isAudible, MomentPlayer, type Moment, type Volume } from './moments.ts';
import { settings } from './settings.svelte.ts';

const player = new MomentPlayer({
  volume: () => settings.volume,
  vibrates: () => settings.buzz,
  touched: () => navigator.userActivation?.hasBeenActive ?? true,
  hidden: () => document.hidden,
  now: () => performance.now(),
  vibrate: (pattern) => {
    try {
      navigator.vibrate?.([...pattern]);
    } catch {
      // Not every device can vibrate.
    }
  },
  load: () => import('./synthesiser.ts').then(({ Speaker }) => new Speaker()),
});

/** Changes the volume, and lets it be heard. */
export function setVolume(volume: Volume): void {
  settings.volume = volume;
  if (isAudible(volume)) settings.loudness = volume;
  player.play('mySet');
}

/** Turns the sounds off, or on again as loud as they were. */
export function toggleSounds(): void {
  setVolume(isAudible(settings.volume) ? 'off' : settings.loudness);
}

/** Loads the sounds when a game has started, so that the first card is heard in time. */
export function prepareSounds(): void {
  player.prepare();
}

/**
 * Plays a signature moment: its sound at the chosen volume, and its vibration if the player wants that.
 *
 * Call it when the thing is seen to happen: when a card lands, not when the message arrives. `event` is anything that
 * names the event, such as the id of its log line; the same moment of the same event plays once, however often it is
 * asked for. Without it, calls within 40 ms count as one. Nothing plays before the first tap, while the volume is off
 * or the page is hidden (except `turn` and `tick`), so callers need no conditions.
 *
 * | moment      | when                                                    | sound                          |
 * | ----------- | ------------------------------------------------------- | ------------------------------ |
 * | `deal`      | cards are dealt at the start of a game                  | riffle                         |
 * | `reveal`    | face-up cards turn over; new SET cards are laid         | three short snaps              |
 * | `play`      | a card lands on the pile; a card is drawn               | slide and tap                  |
 * | `flip`      | a face-down card turns over                             | snap after a breath            |
 * | `pickUp`    | somebody picks up the pile                              | shuffle and thump              |
 * | `clear`     | the pile is cleared                                     | sweep to the left              |
 * | `giveAway`  | the pile or a card goes to another player               | rising swish                   |
 * | `safe`      | somebody goes out                                       | stamp and chime                |
 * | `turn`      | it is the viewer's turn                                 | two soft bars                  |
 * | `call`      | somebody calls SET                                      | wooden knock                   |
 * | `mySet`     | the viewer's SET reaches the chip                       | three rising chimes            |
 * | `theirSet`  | another player's SET reaches their chip                 | two low bars                   |
 * | `pointLost` | a point is lost; a wrong SET                            | falling bar                    |
 * | `refusal`   | a move is refused                                       | two dull knocks                |
 * | `tick`      | one second of a countdown                               | wooden tick                    |
 * | `win`       | the viewer has won                                      | four chimes and a chord        |
 * | `loss`      | the viewer has lost                                     | two falling bars               |
 * | `best`      | a personal best                                         | bright arpeggio                |
 */
export function moment(name: Moment, event?: string | number): void {
  player.play(name, event);
}
