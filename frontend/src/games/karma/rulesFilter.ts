// Which clauses apply in which edition of Karma, for the page of the rules.

import { CLAUSES, EDITIONS } from '../../generated/karmaSetup.ts';
import type { RulesFilter } from '../kit.ts';

/** Clauses that apply in some editions only; all others apply everywhere. */
const SOMETIMES = new Set(Object.values(CLAUSES).flat());

export const filter: RulesFilter = {
  ways: EDITIONS.map((each) => each.edition),
  applies: (_, clause, way) => !SOMETIMES.has(clause.id) || (CLAUSES[way]?.includes(clause.id) ?? false),
};
