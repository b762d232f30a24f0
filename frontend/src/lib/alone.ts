// What one does alone, asked of the server: daily puzzles, practice, lessons. The browser holds no rules.

import type {
  LessonShown,
  LessonTried,
  MyPuzzles,
  PracticeHinted,
  PracticeShown,
  PracticeTimes,
  PracticeTried,
  PuzzleShown,
  PuzzlesToday,
  PuzzleTried,
} from '../generated/protocol.ts';
import { call } from './api.ts';
import type { Text } from './texts.ts';

export const KINDS = ['basic', 'advanced'] as const;
export type Kind = (typeof KINDS)[number];
export type Differing = '1' | '2' | '3' | '4' | 'any';

export const alone = {
  today: () => call<PuzzlesToday>('GET', '/api/puzzles'),
  puzzle: (kind: Kind, day: string | null) => call<PuzzleShown>('GET', `/api/puzzles/${kind}${day === null ? '' : `?day=${encodeURIComponent(day)}`}`),
  tryPuzzle: (kind: Kind, day: string, cards: string[], found: string[][], token: string) =>
    call<PuzzleTried>('POST', `/api/puzzles/${kind}?day=${day}`, { cards, found, token }),
  myPuzzles: () => call<MyPuzzles>('GET', '/api/me/puzzles'),
  practice: (differing: Differing) => call<PracticeShown>('GET', `/api/practice?differing=${differing}`),
  tryPractice: (token: string, cards: string[], hints: number) => call<PracticeTried>('POST', '/api/practice', { token, cards, hints }),
  hint: (token: string, count: number) => call<PracticeHinted>('POST', '/api/practice/hint', { token, count }),
  myPractice: () => call<Record<string, PracticeTimes>>('GET', '/api/me/practice'),
  lessons: (game: string) => call<LessonShown[]>('GET', `/api/lessons/${game}`),
  tryLesson: (game: string, key: string, moves: string[]) => call<LessonTried>('POST', `/api/lessons/${game}/${key}`, { moves }),
};

/** What became of three cards. */
export interface Verdict {
  right: boolean;
  /** The sentence to show. */
  text: Text;
  /** What fails, feature by feature. */
  failing?: Text[];
  /** The clause it rests on. */
  clause?: string | null;
}
