// Page code for puzzles and rules: times, streaks, clauses.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';
import { matchesSearch, splitMatches, readRules } from '../src/lib/rules.ts';
import { filter as karma } from '../src/games/karma/rulesFilter.ts';
import { filter as set } from '../src/games/set/rulesFilter.ts';
import { computeStanding, resultSquares } from '../src/games/set/streak.ts';
import { formatClock, addDays, weeksOf } from '../src/lib/times.ts';

const noon = (day: string): number => Date.parse(`${day}T12:00:00Z`);
const solved = (...days: string[]): { day: string; began: number; ms: number }[] =>
  days.map((day, i) => ({ day, began: noon(day), ms: 60_000 + i }));

test('a time is formatted as a clock', () => {
  assert.equal(formatClock(0), '0:00');
  assert.equal(formatClock(83_999), '1:23');
  assert.equal(formatClock(3_723_000), '1:02:03');
});

test('a month has whole weeks from Monday on, and days cross its ends', () => {
  const weeks = weeksOf('2026-11');
  assert.equal(weeks.length, 6);
  assert.deepEqual(weeks[0], [null, null, null, null, null, null, '2026-11-01']);
  assert.equal(weeks.flat().filter((day) => day !== null).length, 30);
  assert.equal(addDays('2026-12-31', 1), '2027-01-01');
  assert.equal(addDays('2024-03-01', -1), '2024-02-29');
});

test('the streak ends today or yesterday, and the longest is kept', () => {
  const standing = computeStanding(solved('2026-11-01', '2026-11-02', '2026-11-03', '2026-11-05'), '2026-11-06');
  assert.deepEqual([standing.streak, standing.longest, standing.best_ms, standing.median_ms], [1, 3, 60_000, 60_002]);
  assert.equal(computeStanding([], '2026-11-06').best_ms, null);
});

test('a day solved late has a time, but does not count for the streak', () => {
  const late = [{ day: '2026-11-04', began: noon('2026-11-05'), ms: 1000 }];
  assert.deepEqual(
    [computeStanding(late, '2026-11-05').streak, Object.keys(computeStanding(late, '2026-11-05').days)],
    [0, ['2026-11-04']],
  );
});

test('a square is amber after a wrong try', () => {
  assert.equal(resultSquares([0, 2, 0, 1]), '🟩🟨🟩🟨');
});

for (const [game, filter] of Object.entries({ karma, set })) {
  const text = readFileSync(new URL(`../../docs/rules/${game}.md`, import.meta.url), 'utf-8');
  const rules = readRules(text);
  const clauses = rules.sections.flatMap((section) => section.clauses.map((clause) => ({ section, clause })));

  test(`every clause of ${game} is parsed once, with its text`, () => {
    const wanted = [...text.matchAll(/^(?:- |\| )\*\*([KSTPM]\d+a?)\*\*/gm)].map((match) => match[1]);
    assert.deepEqual(
      clauses.map(({ clause }) => clause.id),
      wanted,
    );
    for (const { clause } of clauses) {
      assert.ok(clause.plain.length > 20, clause.id);
      assert.ok(!clause.plain.includes('**'), clause.id);
    }
  });

  test(`every edition of ${game} keeps some clauses and leaves some out`, () => {
    for (const way of filter.ways) {
      const kept = clauses.filter(({ section, clause }) => filter.applies(section, clause, way)).length;
      assert.ok(kept > 3 && kept < clauses.length, `${way}: ${kept}`);
    }
  });
}

test('an edition of Karma leaves out the clauses of cards and rules that it does not have', () => {
  const text = readFileSync(new URL('../../docs/rules/karma.md', import.meta.url), 'utf-8');
  const clauses = readRules(text).sections.flatMap((section) => section.clauses.map((clause) => ({ section, clause })));
  const leftOut = (way: string): string[] =>
    clauses.filter(({ section, clause }) => !karma.applies(section, clause, way)).map(({ clause }) => clause.id);
  const range = (from: number, to: number): string[] => Array.from({ length: to - from + 1 }, (_, i) => `K${from + i}`);
  const classic = ['K21', ...range(44, 51), ...range(60, 66)];
  assert.deepEqual(leftOut('classic'), classic);
  assert.deepEqual(leftOut('mini_round'), classic);
  assert.deepEqual(leftOut('classic_alternative_triples'), ['K40', ...range(44, 51), ...range(60, 66)]);
  assert.deepEqual(leftOut('second_edition'), ['K21', ...range(40, 43)]);
});

test('a search matches all its words in any order and highlights them', () => {
  const clause = { id: 'K7', title: 'A Card', pieces: [], plain: 'A number card may be played.' };
  assert.ok(matchesSearch(clause, 'PLAYED number'));
  assert.ok(matchesSearch(clause, 'k7'));
  assert.ok(!matchesSearch(clause, 'number zebra'));
  assert.deepEqual(splitMatches('a.b a', 'a.'), [
    { words: 'a.', mark: true },
    { words: 'b a', mark: false },
  ]);
});
