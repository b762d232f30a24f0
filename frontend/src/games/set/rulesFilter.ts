// Which sections of the rules apply in which variant of SET, for the page of the rules.

import { SECTIONS } from '../../generated/setSetup.ts';
import type { RulesFilter } from '../kit.ts';

/** Sections that apply in some variants only; all others apply everywhere. */
const SOMETIMES = new Set(Object.values(SECTIONS).flat());

export const filter: RulesFilter = {
  ways: Object.keys(SECTIONS),
  applies: (section, _, way) => !SOMETIMES.has(section.key) || (SECTIONS[way]?.includes(section.key) ?? true),
};
