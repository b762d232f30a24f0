// Made from src/threefold/web/protocol.py by `python -m threefold.web.typescript`; a test compares the two.
// Do not edit: change protocol.py and make it anew.


export const PROTOCOL = 1;

export const REACTIONS = ["👍", "👏", "😂", "😮", "😢", "🎉", "🤔", "❤️"] as const;

export const PHRASES = ["hello", "good_luck", "well_played", "thanks", "sorry", "oops", "your_turn", "one_moment", "good_game", "again", "goodbye"] as const;

export const LONGEST_TEXT = 200;

/** What a table agrees on beside the game's own options. */
export interface Settings {
  seats?: number;
  listed?: boolean;
  grace_s?: number;
  turn_clock_s?: number;
  chat?: boolean;
  pace?: "fast" | "human";
}

/** The first message. `client` names this page; `since` is the last seq it knows; programs show their token. */
export interface Hello {
  is: "hello";
  n?: number;
  protocol: number;
  client: string;
  since?: number | null;
  token?: string | null;
}

/** Take a seat; null is any that is free. */
export interface Sit {
  is: "sit";
  n?: number;
  seat?: number | null;
}

/** Give the seat up, before or between games. */
export interface Stand {
  is: "stand";
  n?: number;
}

/** Give the seat up at any time; in a game somebody or nobody plays on, and the game goes on. */
export interface Leave {
  is: "leave";
  n?: number;
}

/** Give the game up and watch the rest of it. */
export interface Concede {
  is: "concede";
  n?: number;
}

/** The host lets a bot sit down. */
export interface BotSits {
  is: "bot_sits";
  n?: number;
  bot: string;
  seat?: number | null;
}

/** The host frees a bot's seat. */
export interface BotStands {
  is: "bot_stands";
  n?: number;
  seat: number;
}

/** The host changes what is played (edition, variant, options) or how; what is left out stays. */
export interface Change {
  is: "change";
  n?: number;
  given?: Record<string, unknown> | null;
  settings?: Settings | null;
}

/** The host makes somebody else host. */
export interface PassHost {
  is: "pass_host";
  n?: number;
  guest: number;
}

/** The host puts somebody out. */
export interface Remove {
  is: "remove";
  n?: number;
  guest: number;
}

/** The host takes or gives back somebody's voice. */
export interface Mute {
  is: "mute";
  n?: number;
  guest: number;
  muted?: boolean;
}

/** The host starts a game with all who sit; after a game this is the rematch. */
export interface Start {
  is: "start";
  n?: number;
}

/** Ready for the game; after a game, when all who sit are, the rematch begins. */
export interface Ready {
  is: "ready";
  n?: number;
  ready?: boolean;
}

/** Make a move; `game` is the number of the game it is meant for. */
export interface Move {
  is: "move";
  n?: number;
  move: string;
  game?: number | null;
}

/** Ask for a pause; it begins at once. */
export interface Pause {
  is: "pause";
  n?: number;
}

/** End the pause. */
export interface Resume {
  is: "resume";
  n?: number;
}

/** Show a reaction. */
export interface React {
  is: "react";
  n?: number;
  reaction: string;
}

/** Say one of the phrases. */
export interface Phrase {
  is: "phrase";
  n?: number;
  phrase: string;
}

/** Say something, where the host allows it. */
export interface Chat {
  is: "chat";
  n?: number;
  text: string;
}

/** Would this move be accepted, and if not, why? Nothing changes. */
export interface Explain {
  is: "explain";
  n?: number;
  move: string;
}

/** What would a careful player do? */
export interface Hint {
  is: "hint";
  n?: number;
}

/** The host closes the table for good. */
export interface CloseTable {
  is: "close_table";
  n?: number;
}

/** Answered at once, for measuring the way. */
export interface Ping {
  is: "ping";
  n?: number;
  sent?: number;
}

/** The answer to probe, sent at once, with its mark. */
export interface Probed {
  is: "probed";
  n?: number;
  mark: string;
}

/** The answer to hello. The token lets the same person come back to this table, also without the cookie. */
export interface Welcome {
  is: "welcome";
  protocol: number;
  code: string;
  you: number;
  name: string;
  ack: number;
  now: number;
  token: string;
}

/** Somebody at the table. */
export interface GuestShown {
  guest: number;
  name: string;
  program: boolean;
  here: boolean;
  away_since: number | null;
  muted: boolean;
}

/** A seat: a guest's, a bot's, or free. */
export interface SeatShown {
  guest: number | null;
  bot: string | null;
}

/** A player of the game that runs or ran last. */
export interface PlayerShown {
  seat: number;
  guest: number | null;
  bot: string | null;
  name: string;
  left: boolean;
  result: "drawn" | "left" | "lost" | "open" | "won" | null;
}

/** Who asked for the pause, and when. */
export interface PauseShown {
  by: number | null;
  since: number;
}

/** The game that runs or ran last. `commitment` is the hash of the seed, `seed` is given after the end. `id` leads to the finished game. `repeated`: the same position has come three times, so a draw may be wise. */
export interface PlayingShown {
  number: number;
  id: string | null;
  began: number;
  over: boolean;
  ending: Record<string, unknown> | null;
  commitment: string;
  seed: string | null;
  paused: PauseShown | null;
  repeated: boolean;
  players: PlayerShown[];
}

/** The score of the sitting, of a guest or of a bot. */
export interface ScoreShown {
  guest: number | null;
  seat: number | null;
  name: string;
  games: number;
  won: number;
  lost: number;
  left: number;
  points: number;
}

/** The table as everybody may know it; sent whole whenever it has changed. */
export interface TableShown {
  is: "table";
  code: string;
  game: string;
  given: Record<string, unknown>;
  settings: Settings;
  host: number;
  you: number | null;
  guests: GuestShown[];
  seats: SeatShown[];
  ready: number[];
  next_commitment: string;
  playing: PlayingShown | null;
  scores: ScoreShown[];
  closed: string | null;
  seq: number;
  ack: number;
}

/** What one move brought, as this viewer may know it. */
export interface Happened {
  seq: number;
  told: Record<string, unknown>[];
}

/** The game as this viewer may know it, and what happened since the last seq they were told. `time` is the game's own time in milliseconds; `turn_ends` when the turn clock runs out; `events` is null when more was missed than is kept. */
export interface ViewShown {
  is: "view";
  seq: number;
  ack: number;
  game: number;
  view: Record<string, unknown>;
  events: Happened[] | null;
  time: number;
  turn_ends: number | null;
}

/** Everything up to this number has been dealt with, and nothing else is new. */
export interface Ack {
  is: "ack";
  ack: number;
  seq: number;
}

/** No, and why: the clause, a sentence, its key, the field that is meant. `taken`: somebody was just quicker. */
export interface Refused {
  is: "refused";
  n: number;
  clause: string | null;
  message: string;
  text: Record<string, unknown>;
  field: string | null;
  taken: boolean;
}

/** Somebody showed a reaction, said a phrase, or wrote something. */
export interface Said {
  is: "said";
  guest: number;
  sort: "chat" | "phrase" | "reaction";
  what: string;
  at: number;
}

/** Whether a move would be accepted; if not, why. */
export interface Explained {
  is: "explained";
  n: number;
  move: string;
  legal: boolean;
  clause: string | null;
  message: string | null;
  text: Record<string, unknown> | null;
}

/** What a careful player would do. */
export interface Hinted {
  is: "hinted";
  n: number;
  move: string | null;
}

/** The answer to ping. */
export interface Pong {
  is: "pong";
  n: number;
  sent: number;
  now: number;
}

/** Answered with probed, at once: so the table measures the way, and makes good for it when people race (SET). */
export interface Probe {
  is: "probe";
  mark: string;
}

/** The last message before the table closes the connection; `words` is what the operator says about it. */
export interface Bye {
  is: "bye";
  reason: string;
  words: string;
}

/** Every answer that is not the one that was asked for. */
export interface Problem {
  message: string;
  text: Record<string, unknown>;
  field: string | null;
  clause: string | null;
}

/** Who somebody wants to be. */
export interface MakePerson {
  name: string;
}

/** Who somebody is. */
export interface PersonShown {
  name: string;
  made: number;
}

/** A table to be made: the game, its edition or variant and options, the seats, and how people play. */
export interface MakeTable {
  game: string;
  edition?: string | Record<string, unknown> | null;
  variant?: string | null;
  options?: Record<string, unknown> | null;
  seats?: number;
  bots?: string[];
  listed?: boolean;
  grace_s?: number;
  turn_clock_s?: number;
  chat?: boolean;
  pace?: "fast" | "human";
  start?: boolean;
}

/** Where the new table is. The path is the invite link of this site; the QR code is a picture of it. */
export interface TableMade {
  code: string;
  path: string;
  qr: string;
  socket: string;
}

/** A table as a list shows it. */
export interface TableFound {
  code: string;
  game: string;
  given: Record<string, unknown>;
  seats: SeatShown[];
  guests: GuestShown[];
  playing: PlayingShown | null;
}

/** A name for a program that is to play at a table. */
export interface MakeToken {
  name: string;
}

/** The program's right to play, and where. */
export interface TokenMade {
  token: string;
  socket: string;
}

/** A link that makes another device the same person, once, within the next minutes; `qr` is a picture of it. */
export interface TransferMade {
  path: string;
  token: string;
  seconds: number;
  qr: string;
}

/** The token of a transfer link. */
export interface Redeem {
  token: string;
}

/** Somebody who played, and how it went. */
export interface GamePlayer {
  player: number;
  name: string;
  result: "drawn" | "left" | "lost" | "open" | "won";
}

/** A finished game of mine. */
export interface GameFound {
  id: string;
  game: string;
  what: string;
  began: number;
  ended: number;
  result: "drawn" | "left" | "lost" | "open" | "won";
  score: number | null;
  players: GamePlayer[];
}

/** Somebody who played; a bot's name is its level. */
export interface ReplayPlayer {
  player: number;
  seat: number;
  name: string;
  bot: boolean;
  result: "drawn" | "left" | "lost" | "open" | "won";
  score: number | null;
}

/** One move: who made it (null: time ran out), the game's own time, what was told, and how the View changed. A change is `["is", value]`, `["in", {part: change}]`, `["keep", n, rest]` or `["gone"]`; null: nothing changed. */
export interface ReplayStep {
  player: number | null;
  move: string;
  at: number | null;
  told: Record<string, unknown>[];
  change: unknown[] | null;
}

/** A game as one viewer saw it: the first View and every move. */
export interface Frames {
  first: Record<string, unknown>;
  steps: ReplayStep[];
}

/** A finished game to look at. `you` is the player who asks; no `frames`: the rules have changed since. */
export interface ReplayShown {
  id: string;
  game: string;
  what: string;
  rules: number;
  began: number;
  ended: number;
  ending: Record<string, unknown> | null;
  seed: string;
  commitment: string;
  you: number | null;
  players: ReplayPlayer[];
  frames: Frames | null;
}

/** Whether a finished game is sound, in sentences of the catalogue. */
export interface Checked {
  sound: boolean;
  texts: Record<string, unknown>[];
}

/** How quickly SETs were found that differ in so many features. */
export interface KindOfTime {
  features: number;
  count: number;
  best_ms: number | null;
  median_ms: number | null;
}

/** A SET that lay on the table, within whose reach, from when until when, and what became of it. `found_ms` runs from the moment its third card came to the call. `broken`: a card of it went with another SET. `overlooked`: while it lay there, everybody agreed that there was none. */
export interface SetReviewed {
  cards: string[];
  features: number;
  reach: number[];
  since: number;
  until: number;
  outcome: "broken" | "left" | "taken";
  player: number | null;
  found_ms: number | null;
  overlooked: boolean;
}

/** The cards as they lay after so many moves, from when until when; `sets` and `taken` are numbers of SETs. */
export interface LayoutReviewed {
  move: number;
  deal: number;
  since: number;
  until: number;
  cards: (string | null)[];
  personal: ((string | null)[])[];
  sets: number[];
  taken: number | null;
}

/** A call that failed: three wrong cards and why, or none in time. */
export interface WrongReviewed {
  move: number;
  at: number;
  player: number;
  failure: "gave_up" | "left" | "time_up" | "wrong_set";
  cards: string[];
  failing: Record<string, unknown>[];
}

/** Calls that came almost together: who was first, by how many milliseconds, and before whom. */
export interface CloseCall {
  move: number;
  player: number;
  margin_ms: number | null;
  others: number[];
}

/** One player's game in figures; `missed` are SETs within reach that nobody saw though there was time. */
export interface PlayerReviewed {
  player: number;
  seat: number;
  name: string;
  bot: boolean;
  you: boolean;
  found: number;
  wrong: number;
  missed: number;
  score: number | null;
  times: KindOfTime[];
}

/** A finished game of SET looked back on; times are the game's own, in milliseconds. */
export interface ReviewShown {
  id: string;
  variant: string;
  took_ms: number;
  layouts: LayoutReviewed[];
  sets: SetReviewed[];
  wrong: WrongReviewed[];
  close: CloseCall[];
  players: PlayerReviewed[];
}

/** How games of one edition or variant went. */
export interface ResultsCounted {
  game: string;
  what: string;
  games: number;
  won: number;
  lost: number;
  drawn: number;
  left: number;
  open: number;
}

/** How many in a row: the most ever, and now. */
export interface Streak {
  best: number;
  now: number;
}

/** Days with a game: all, the most in a row, and the row that runs. */
export interface DaysPlayed {
  played: number;
  best: number;
  now: number;
}

/** A personal best and the game it was in. */
export interface Best {
  value: number;
  game: string;
}

/** How somebody plays SET. */
export interface SetStats {
  found: number;
  wrong: number;
  times: KindOfTime[];
  fastest: Best | null;
  fastest_solitaire: Best | null;
  fewest_missed: Best | null;
  most_found: Best | null;
}

/** What my games add up to. */
export interface StatsShown {
  games: number;
  results: ResultsCounted[];
  wins: Streak;
  days: DaysPlayed;
  set: SetStats;
}

/** A game that can be played here, with the bots that know it. */
export interface GameOffered {
  game: string;
  rules: number;
  timed: boolean;
  bots: string[];
  ways: Record<string, unknown>[];
}

/** What replaying a record showed. */
export interface VerifiedShown {
  sound: boolean;
  messages: string[];
  commitment: string;
  moves: number;
  ending: Record<string, unknown> | null;
}

/** The day (UTC) whose puzzles are today's, when it ends, and how many SETs each has. */
export interface PuzzlesToday {
  day: string;
  ends: number;
  now: number;
  counts: Record<string, number>;
}

/** A daily puzzle. `began` is when it was first looked at; the token says the same, signed, for those nobody knows. Somebody who has solved it is told their time and all `sets`. */
export interface PuzzleShown {
  day: string;
  kind: string;
  cards: string[];
  count: number;
  difficulty: number;
  began: number;
  now: number;
  token: string;
  milliseconds: number | null;
  sets: string[][] | null;
}

/** Three cards that may be a SET, the SETs found before, and the token of the first look. */
export interface PuzzleTry {
  cards: string[];
  found?: string[][];
  token?: string | null;
}

/** What came of it: events as the games tell them, with a sentence each (`says`). `milliseconds`: the time from the first look to the last SET, by the server's clock, once all are found. */
export interface PuzzleTried {
  events: Record<string, unknown>[];
  left: number;
  milliseconds: number | null;
}

/** My daily puzzles of one kind: my time by day, days in a row now and at most, my best and my usual time. A day counts for the streak if its puzzle was solved on that day (an hour after midnight is still in time). */
export interface PuzzleStanding {
  days: Record<string, number>;
  streak: number;
  longest: number;
  best_ms: number | null;
  median_ms: number | null;
}

/** My daily puzzles, by kind; `day` is today. */
export interface MyPuzzles {
  day: string;
  kinds: Record<string, PuzzleStanding>;
}

/** A layout to practise with; its SETs all differ in `differing` features, or in any number of them. The token says which layout it is and since when it is looked at. */
export interface PracticeShown {
  cards: string[];
  differing: number | null;
  count: number;
  token: string;
}

/** Three cards of a layout that may be a SET, and how many hints helped. With a hint no time is kept. */
export interface PracticeTry {
  token: string;
  cards: string[];
  hints?: number;
}

/** What came of it; of a SET, in how many features it differs and how long it took. */
export interface PracticeTried {
  events: Record<string, unknown>[];
  differing: number | null;
  milliseconds: number | null;
}

/** Asks for the first one, two or three cards of a SET of a layout. */
export interface PracticeHint {
  token: string;
  count?: number;
}

/** So many cards of the easiest SET; more of the same SET each time. */
export interface PracticeHinted {
  cards: string[];
}

/** How many SETs that differ in so many features I have found in practice without hints, and how fast. */
export interface PracticeTimes {
  count: number;
  mean_ms: number;
  best_ms: number;
}

/** A lesson: a table as the learner, player 0, sees it, and cards to point at. */
export interface LessonShown {
  key: string;
  view: Record<string, unknown>;
  point: string[];
}

/** What the learner has done since the lesson began. */
export interface LessonMoves {
  moves: string[];
}

/** The table after it, what the last move brought, whether the lesson is done, or why the last move was refused. */
export interface LessonTried {
  view: Record<string, unknown>;
  events: Record<string, unknown>[];
  done: boolean;
  refused: Problem | null;
}

/** A card somebody designed. */
export interface DesignGiven {
  design: Record<string, unknown>;
}

/** A designed card, its code to share, and its rules in words. */
export interface DesignShown {
  code: string;
  design: Record<string, unknown>;
  words: string[];
}

/** That the server lives. */
export interface Health {
  version: string;
  protocol: number;
  now: number;
}

/** One of the processes that share the database. */
export interface ProcessShown {
  process: string;
  here: boolean;
  version: string;
  host: string;
  pid: number;
  started: number;
  same_key: boolean;
  sockets: number;
  tables: number;
  moves_per_s: number;
}

/** A message that took long. */
export interface SlowShown {
  at: number;
  table: string;
  kind: string;
  ms: number;
}

/** How the process is that answers. */
export interface LoadShown {
  version: string;
  database: string;
  started: number;
  now: number;
  cpu: number;
  loop_lag_ms: number | null;
  sockets: number;
  tables: number;
  moves_per_s: number;
  ack_p50_ms: number | null;
  ack_p99_ms: number | null;
  commit_p50_ms: number | null;
  commit_p99_ms: number | null;
  processes: ProcessShown[];
  slowest: SlowShown[];
}

/** A table in the operator's list. */
export interface TableLine {
  code: string;
  game: string;
  listed: boolean;
  guests: number;
  here: number | null;
  opened: number;
  touched: number;
  playing: boolean;
}

/** One page of tables. */
export interface TablePage {
  total: number;
  size: number;
  tables: TableLine[];
}

/** A person in the operator's list. */
export interface PersonLine {
  person: string;
  name: string;
  made: number;
  seen: number;
  tables: number;
  banned: boolean;
}

/** One page of people. */
export interface PeoplePage {
  total: number;
  size: number;
  people: PersonLine[];
}

/** A ban that holds. */
export interface BanShown {
  id: string;
  name: string;
  address: string | null;
  words: string;
  made: number;
  until: number | null;
}

/** Who is to stay away: a person or an address; for how long; what they are told. */
export interface MakeBan {
  person?: string | null;
  address?: string | null;
  hours?: number | null;
  words?: string;
  addresses_too?: boolean;
}

/** What the people at the table are told. */
export interface CloseByOperator {
  words?: string;
}

export type Asked =
  | Hello
  | Sit
  | Stand
  | Leave
  | Concede
  | BotSits
  | BotStands
  | Change
  | PassHost
  | Remove
  | Mute
  | Start
  | Ready
  | Move
  | Pause
  | Resume
  | React
  | Phrase
  | Chat
  | Explain
  | Hint
  | CloseTable
  | Ping
  | Probed;

export type Told =
  | Welcome
  | TableShown
  | ViewShown
  | Ack
  | Refused
  | Said
  | Explained
  | Hinted
  | Pong
  | Probe
  | Bye;
