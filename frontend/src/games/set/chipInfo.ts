// What a player's chip says.

import type { SetView } from '../../generated/set.ts';
import { t } from '../../lib/i18n.svelte.ts';

export interface ChipInfo {
  name: string;
  /** The id of a bot; null for a person. */
  bot: string | null;
  /** How long a player has been away, or when a bot takes over, as a clock; empty if they are here. */
  away: string;
  /** What they say at the moment, and their reaction. */
  says: string;
  reaction: string;
}

export interface ChipSign {
  /** Beside the name; empty if words are enough. */
  sign: string;
  words: string;
}

/** The status of a player; `away` says whether the chip shows an absence. */
export function signsOf(view: SetView, player: number, away: boolean): ChipSign[] {
  return [
    { on: view.control === player, sign: '', words: t('page.set.has_called') },
    { on: view.agreed.includes(player), sign: '∅', words: t('page.set.agrees') },
    { on: view.left.includes(player), sign: '⏏', words: t('page.set.left') },
    { on: away, sign: '', words: t('page.seat.away') },
  ].filter((each) => each.on);
}
