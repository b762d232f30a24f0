// What a game brings to the page. A game is a folder beside this file whose `kit.ts` exports `kit: OwnKit`.
// Its sentences are a part of the shared catalogue, or files in its folder: `texts/en.json`.
// The kits are part of every first load, so they hold small facts and load their components when they are needed.

import type { Component, Snippet } from 'svelte';
import type { GameEvent, GameView } from '../generated/games.ts';
import type { LessonTried, MakeTable, ReplayPlayer, ReviewShown, StatsShown, RESULTS } from '../generated/protocol.ts';
import type { Json, Text } from '../generated/texts.ts';
import type { LiveTable } from '../lib/liveTable.svelte.ts';
import type { Place } from '../places.ts';
import type { Clause, Section } from '../lib/rules.ts';

/** How a game ended for a player. */
export type Result = (typeof RESULTS)[number];

/** A component of a game, loaded when it is shown. `components/LazyPart.svelte` shows it. */
export interface Part<Properties extends object> {
  load: () => Promise<{ default: Component<never> }>;
  /** Only for the type checker. */
  properties?: Properties;
}

/** Declares a part. A component may take narrower types than the page passes; a View is that of its own game. */
export function part<Properties extends object, Own extends Omit<Properties, 'view' | 'before'>>(
  load: () => Promise<{ default: Component<Own> }>,
): Part<Properties> {
  return { load };
}

/** The settings of a table to be made, or to be changed in its lobby. */
export interface Plan {
  /** An edition or a variant: its name, or a house edition. */
  way: Json;
  options: { [name: string]: Json };
  seats: number;
  listed: boolean;
  grace_s: number;
  turn_clock_s: number;
  chat: boolean;
  memory_aid: boolean;
  pace: 'human' | 'fast';
}

export interface QuickGame {
  name: string;
  /** Key of the button. */
  label: string;
  table: () => Omit<MakeTable, 'game'>;
}
export interface SetupProps {
  plan: Plan;
  onchange: (change: Partial<Plan>) => void;
}
export interface TableProps {
  live: LiveTable;
  view: GameView;
  onkeys: () => void;
}
/** The end of a game: its big moment, and panels. `scores` are the scores of the table, for the place that suits. */
export interface EndProps {
  view: GameView;
  names: readonly string[];
  /** By player: the bot; null for people. */
  bots: readonly (string | null)[];
  events: readonly GameEvent[];
  /** The id of the finished game, as soon as it is stored. */
  id: string | null;
  /** The viewer's result; null for a spectator. */
  result: Result | null;
  scores: Snippet;
}
export interface ReplayProps {
  view: GameView;
  /** The View before the last step; null after a jump. */
  before: GameView | null;
  events: readonly GameEvent[];
  frame: number;
  transition: 'step' | 'jump';
  speed: number;
  /** How long a step may be held to show what happened, in milliseconds. */
  hold: number;
  names: readonly string[];
  players: readonly ReplayPlayer[];
  viewer: number | null;
  time: number;
  sentence: (event: GameEvent) => string;
}
/** The cards of one move, drawn small beside its words. */
export interface MoveCardsProps {
  /** Any View of the game: the table's own cards are in it. */
  view: GameView;
  events: readonly GameEvent[];
}
export interface ReviewProps {
  review: ReviewShown;
}
export interface LessonProps {
  view: GameView;
  names: readonly string[];
  /** Cards to point at. */
  point: readonly string[];
  last: LessonTried | null;
  finished: boolean;
  onmove: (move: string) => void;
  /** Finds out what speaks against a legal move, without making it. */
  warning: (move: string) => Promise<Text | null>;
}
/** A card in a figure of the guide, with its name for screen readers. */
export interface GuideCardProps {
  /** Its code; null is a face-down card. */
  card: string | null;
  /** The set-up of the table that the guide is about, if any. */
  setup: { [name: string]: Json };
}
export interface ProfileProps {
  stats: StatsShown;
}

/** How the page of the rules shows this game. */
export interface RulesFilter {
  /** Editions or variants that a reader can choose. */
  ways: readonly string[];
  /** Does a clause apply in this edition or variant? */
  applies: (section: Section, clause: Clause, way: string) => boolean;
}

export interface GameKit {
  name: string;
  /** Parts of the catalogue that the components need. */
  texts: readonly string[];
  /** The field of a table that names its edition or variant. */
  wayField: 'edition' | 'variant';
  /** Do players take turns? Then the page tells a player when it is theirs. */
  takesTurns: boolean;
  /** Does the game have a clock of its own, so that a replay can run in true time? */
  hasClock: boolean;
  /** Does the end of a game list its winners? Without it the game's own sentence names them. */
  listsWinners: boolean;
  /** The character that is chosen first. */
  bot: string;
  /** The first one is the game's "Play now". */
  quickGames: readonly [QuickGame, ...QuickGame[]];
  /** Places that only this game has: the table in its `places.ts`, which the build reads too. */
  places: readonly Place[];
  /** Links to them: the address, and the key of the words. */
  links: readonly { address: string; label: string }[];
  /** Where to go after the last lesson. */
  afterLessons: readonly { address: string; label: string }[];
  /** What a new table starts with; `card` is the code of a designed card. */
  newTable: (card: string | null) => Pick<Plan, 'way' | 'options'> & Partial<Plan>;
  /** Moves beside the usual ones that the menu offers while the View does. */
  menuMoves: readonly string[];
  /** Jump targets of a replay: a name, and the events it stands for. */
  marks: { readonly [mark: string]: readonly GameEvent['event'][] };
  /** Marks on the progress line of a replay: good or bad for somebody. */
  progressMarks: { readonly [mark: string]: 'good' | 'bad' };
  /** The players who have finished although the game goes on. */
  out: (view: GameView) => readonly number[];
  /** Events that a replay does not tell, those that its list of moves leaves out, and those of a lesson. */
  untold: { readonly [where in 'replay' | 'moves' | 'lesson']: readonly GameEvent['event'][] };
  /** Events that a replay shows in a few words, because it draws their cards: the sentence `NAME.brief.EVENT`. */
  brief: readonly GameEvent['event'][];
  /** Names of cards that the catalogue does not know. */
  loadCardNames?: () => Promise<{ cardNames: (view: GameView) => { [card: string]: string } }>;
  rules: {
    /** The first letters of its clauses. */
    letters: string;
    page: () => Promise<{ default: string }>;
    filter: () => Promise<{ filter: RulesFilter }>;
  } | null;
  /** The guide to read before a first game: the one to open first, and its cards. */
  guide: { way: string; card: Part<GuideCardProps> } | null;
  /** A few cards of the game, which fill their box (`components/CardFan.svelte`), without sentences of the game. */
  art: Part<object> | null;
  /** What its tile on the home page is made of. */
  ground: 'felt' | 'indigo';
  /** What a table plays, in a few words; null: the name of the game says it all. */
  describe: (setup: { readonly [name: string]: Json }) => Text | null;
  /** Panels on the home page of somebody who has played before. */
  panels: readonly Part<object>[];
  setup: Part<SetupProps>;
  table: Part<TableProps>;
  /** Help for the keyboard. */
  keys: Part<{ onclose: () => void }> | null;
  /** Without it the end of a game shows the result and the scores. */
  end: Part<EndProps> | null;
  replay: Part<ReplayProps>;
  moveCards: Part<MoveCardsProps> | null;
  review: Part<ReviewProps> | null;
  lesson: Part<LessonProps> | null;
  profile: Part<ProfileProps> | null;
  settings: Part<object> | null;
  /** Cards at the top of the settings, which show what a choice does. */
  preview: Part<object> | null;
}

/** What a small game can leave out, and what it gets instead. */
export const PLAIN_KIT = {
  texts: [],
  wayField: 'edition',
  takesTurns: true,
  hasClock: false,
  listsWinners: true,
  places: [],
  links: [],
  afterLessons: [],
  menuMoves: [],
  marks: {},
  progressMarks: {},
  out: () => [],
  untold: { replay: [], moves: [], lesson: [] },
  brief: [],
  moveCards: null,
  rules: null,
  guide: null,
  art: null,
  ground: 'felt',
  describe: () => null,
  panels: [],
  keys: null,
  end: null,
  review: null,
  lesson: null,
  profile: null,
  settings: null,
  preview: null,
} satisfies Partial<GameKit>;

/** What the `kit.ts` of a game exports. */
export type OwnKit = Omit<GameKit, keyof typeof PLAIN_KIT> & Partial<GameKit>;
