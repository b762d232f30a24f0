// What the status says while a player looks for a SET and picks its cards.

import type { SetView } from '../../generated/set.ts';
import { t } from '../../lib/i18n.svelte.ts';

/** A SET of three cards has its own sentences. */
const USUAL_SIZE = 3;

/** What to do when nothing is picked and nobody has called. */
export function invitation({ flags }: SetView): string {
  const what = flags.call_first ? 'look' : 'look_take';
  return flags.set_size === USUAL_SIZE ? t(`page.set.${what}`) : t(`page.set.${what}_of`, { n: flags.set_size });
}

/** How many cards are still to be picked. */
export function picking({ flags }: SetView, chosen: number): string {
  return flags.set_size === USUAL_SIZE
    ? t('page.set.yours', { n: chosen })
    : t('page.set.pick_more', { n: flags.set_size - chosen });
}
