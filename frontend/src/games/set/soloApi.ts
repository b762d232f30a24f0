// HTTP requests for playing alone: daily puzzles, practice, lessons. The server checks every try.

import type {
  MyPuzzles,
  PracticeHinted,
  PracticeShown,
  PracticeTimes,
  PracticeTried,
  PuzzleRanking,
  PuzzleShown,
  PuzzlesToday,
  PuzzleTried,
} from '../../generated/protocol.ts';
import { call } from '../../lib/api.ts';
import type { Text } from '../../lib/texts.ts';

import { PUZZLE_KINDS } from '../../generated/setSetup.ts';

export { PUZZLE_KINDS };
export type PuzzleKind = (typeof PUZZLE_KINDS)[number];
/** What such a puzzle looks like; the cards of a day are a secret. */
export const SAMPLES: { readonly [kind in PuzzleKind]: readonly string[] } = {
  basic: ['2RSD', '1GSD', '3PSD'],
  advanced: ['1PTS', '2RSO', '3GOD'],
};
export type Differing = '1' | '2' | '3' | '4' | 'any';

export const soloApi = {
  today: () => call<PuzzlesToday>('GET', '/api/puzzles'),
  puzzle: (kind: PuzzleKind, day: string | null) =>
    call<PuzzleShown>('GET', `/api/puzzles/${kind}${day === null ? '' : `?day=${encodeURIComponent(day)}`}`),
  tryPuzzle: (kind: PuzzleKind, day: string, cards: string[], found: string[][], token: string) =>
    call<PuzzleTried>('POST', `/api/puzzles/${kind}?day=${day}`, { cards, found, token }),
  ranking: (kind: PuzzleKind, day: string) =>
    call<PuzzleRanking>('GET', `/api/puzzles/${kind}/ranking?day=${encodeURIComponent(day)}`),
  myPuzzles: () => call<MyPuzzles>('GET', '/api/me/puzzles'),
  practice: (differing: Differing) => call<PracticeShown>('GET', `/api/practice?differing=${differing}`),
  tryPractice: (token: string, cards: string[], hints: number) =>
    call<PracticeTried>('POST', '/api/practice', { token, cards, hints }),
  hint: (token: string, count: number) => call<PracticeHinted>('POST', '/api/practice/hint', { token, count }),
  myPractice: () => call<Record<string, PracticeTimes>>('GET', '/api/me/practice'),
};

/** Result of a try with three cards. */
export interface Verdict {
  /** How the cards are marked; null: neither right nor wrong, such as a SET that was found before. */
  mark: 'right' | 'wrong' | null;
  /** The sentence to show. */
  text: Text;
  /** The failing features. */
  failing?: Text[];
  /** The clause that explains it. */
  clause?: string | null;
}

const RETRY_MS = 2000;

/** Resolves when the browser says that the network is back, or after a while. */
export function networkBack(): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(done, RETRY_MS);
    function done(): void {
      clearTimeout(timer);
      removeEventListener('online', done);
      resolve();
    }
    addEventListener('online', done);
  });
}
