// What a guest says at the moment, in a bubble.

import { t } from './i18n.svelte.ts';
import type { LiveTable } from './liveTable.svelte.ts';

/** The words in a guest's bubble; empty if there are none. */
export function speechOf(live: LiveTable, guest: number | null): string {
  const bubble = guest === null ? undefined : live.bubbles.find((each) => each.guest === guest);
  if (bubble === undefined) return '';
  return bubble.sort === 'phrase' ? t(`live.phrase.${bubble.what}`) : bubble.what;
}
