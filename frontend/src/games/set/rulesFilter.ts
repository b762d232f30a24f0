// Which sections of the rules apply in which variant of SET, for the page of the rules.

import { VARIANTS, type VariantOffered } from '../../generated/setSetup.ts';
import type { RulesFilter } from '../kit.ts';

function sectionsOf({ flags }: VariantOffered): string[] {
  return ['cards', flags.personal > 0 ? '20_20_set' : 'the_game', ...(flags.alone ? ['solitaire'] : [])];
}

/** Variants that share their sections are one choice. */
const SECTIONS = new Map<string, readonly string[]>([['puzzles', ['cards', 'puzzles']]]);
for (const each of [...VARIANTS].reverse()) {
  const sections = sectionsOf(each);
  for (const [way, others] of SECTIONS) if (others.join() === sections.join()) SECTIONS.delete(way);
  SECTIONS.set(each.variant, sections);
}

export const filter: RulesFilter = {
  ways: [...SECTIONS.keys()].reverse(),
  applies: (section, _, way) => SECTIONS.get(way)?.includes(section.key) ?? true,
};
