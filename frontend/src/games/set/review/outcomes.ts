// What became of the SETs of a finished game.

import type { LayoutReviewed, SetReport, SetReviewed } from '../../../generated/set.ts';
import { formatDuration } from '../../../lib/durations.ts';
import { t } from '../../../lib/i18n.svelte.ts';

/** Did players overlook this SET, or leave it on the table although there was time? */
export function wasMissed(set: SetReviewed): boolean {
  return set.outcome !== 'taken' && (set.overlooked || (set.outcome === 'left' && set.until > set.since));
}

/** The outcome of a SET as text. */
export function outcomeText(set: SetReviewed, names: readonly string[]): string {
  const time = formatDuration(set.until - set.since);
  if (set.outcome === 'taken')
    return t('page.review.taken', { name: names[set.player ?? 0] ?? '', time: formatDuration(set.found_ms ?? 0) });
  if (wasMissed(set)) return t(set.overlooked ? 'page.review.overlooked' : 'page.review.left', { time });
  return t('page.review.broken', { time });
}

/** The SETs of a layout: the one that was taken, then those that were missed, then the others. */
export function sortedSets(report: SetReport, layout: LayoutReviewed): { set: SetReviewed; taken: boolean }[] {
  const rank = ({ set, taken }: { set: SetReviewed; taken: boolean }): number => (taken ? 0 : wasMissed(set) ? 1 : 2);
  return layout.sets
    .flatMap((i) => {
      const set = report.sets[i];
      return set === undefined ? [] : [{ set, taken: layout.taken === i }];
    })
    .sort((a, b) => rank(a) - rank(b));
}

/** The SET that was taken from a layout, or null. */
export function takenSet(report: SetReport, layout: LayoutReviewed): SetReviewed | null {
  return layout.taken === null ? null : (report.sets[layout.taken] ?? null);
}
