// Which clauses apply in which edition of Karma, for the page of the rules.

import { CARDS, CREATE_YOUR_KARMA } from '../../generated/karma.ts';
import { EDITIONS, type EditionOffered } from '../../generated/karmaSetup.ts';
import type { RulesFilter } from '../kit.ts';

const CREATE_YOUR_KARMA_CLAUSES = ['K60', 'K61', 'K62', 'K63', 'K64', 'K65', 'K66'];
/** A clear may give the pile to another player. */
const GIVING_CLAUSE = 'K21';

function clausesOf(edition: EditionOffered): string[] {
  const cards = CARDS.filter((each) => (edition.karma[each.code] ?? 0) > 0);
  return [
    ...cards.map((each) => each.clause),
    ...(cards.some((each) => each.code === CREATE_YOUR_KARMA) ? CREATE_YOUR_KARMA_CLAUSES : []),
    ...(edition.clear_does === 'give' ? [GIVING_CLAUSE] : []),
  ];
}

const CLAUSES = new Map(EDITIONS.map((each) => [each.edition as string, clausesOf(each)]));
/** Clauses that apply in some editions only; all others apply everywhere. */
const SOMETIMES = new Set([...CLAUSES.values()].flat());

export const filter: RulesFilter = {
  ways: EDITIONS.map((each) => each.edition),
  applies: (_, clause, way) => !SOMETIMES.has(clause.id) || (CLAUSES.get(way)?.includes(clause.id) ?? false),
};
