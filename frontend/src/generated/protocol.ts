// Generated from src/threefold/web by `python -m threefold.web.typescript`; a test compares the two.
// Do not edit: change the messages in protocol.py or the bodies beside the HTTP routes, and generate this file again.


export const PROTOCOL = 1;

export const REACTIONS = ["👍", "👏", "😂", "😮", "😢", "🎉", "🤔", "❤️"] as const;

export const PHRASES = ["hello", "good_luck", "well_played", "thanks", "sorry", "oops", "your_turn", "one_moment", "good_game", "again", "goodbye"] as const;

export const LONGEST_TEXT = 200;

/** The settings of a table, besides the options of its game. */
export interface Settings {
  seats?: number;
  listed?: boolean;
  grace_s?: number;
  turn_clock_s?: number;
  chat?: boolean;
  pace?: "fast" | "human";
}

/** The first message. `client` identifies this page or program, `since` is the last seq it knows. Programs identify themselves with `token`, browsers with their cookie. */
export interface Hello {
  is: "hello";
  n?: number;
  protocol: number;
  client: string;
  since?: number | null;
  token?: string | null;
}

/** Take a seat; null takes any free seat. */
export interface Sit {
  is: "sit";
  n?: number;
  seat?: number | null;
}

/** Give up the seat before or between games. */
export interface Stand {
  is: "stand";
  n?: number;
}

/** Give up the seat at any time; a running game goes on, with or without a bot in this place. */
export interface Leave {
  is: "leave";
  n?: number;
}

/** Give up the game and watch the rest of it. */
export interface Concede {
  is: "concede";
  n?: number;
}

/** Host only: give a seat to a bot. */
export interface BotSits {
  is: "bot_sits";
  n?: number;
  bot: string;
  seat?: number | null;
}

/** Host only: free a bot's seat. */
export interface BotStands {
  is: "bot_stands";
  n?: number;
  seat: number;
}

/** Host only: change the edition, variant or options (`given`) or the table's settings. Null changes nothing. */
export interface Change {
  is: "change";
  n?: number;
  given?: Record<string, unknown> | null;
  settings?: Settings | null;
}

/** Host only: make another guest the host. */
export interface PassHost {
  is: "pass_host";
  n?: number;
  guest: number;
}

/** Host only: remove a guest from the table for good. */
export interface Remove {
  is: "remove";
  n?: number;
  guest: number;
}

/** Host only: mute or unmute a guest. */
export interface Mute {
  is: "mute";
  n?: number;
  guest: number;
  muted?: boolean;
}

/** Host only: start a game with everybody who has a seat; after a game, the rematch. */
export interface Start {
  is: "start";
  n?: number;
}

/** Ready for the game. After a game the rematch starts when everybody who has a seat is ready. */
export interface Ready {
  is: "ready";
  n?: number;
  ready?: boolean;
}

/** Make a move in game number `game`. */
export interface Move {
  is: "move";
  n?: number;
  move: string;
  game?: number | null;
}

/** Pause the game at once. */
export interface Pause {
  is: "pause";
  n?: number;
}

/** End the pause. */
export interface Resume {
  is: "resume";
  n?: number;
}

/** Show one of REACTIONS. */
export interface React {
  is: "react";
  n?: number;
  reaction: string;
}

/** Say one of PHRASES. */
export interface Phrase {
  is: "phrase";
  n?: number;
  phrase: string;
}

/** Send a chat message, if the host allows chat. */
export interface Chat {
  is: "chat";
  n?: number;
  text: string;
}

/** Ask whether a move would be accepted, and if not, why. Nothing changes. */
export interface Explain {
  is: "explain";
  n?: number;
  move: string;
}

/** Ask for the move of a careful player. */
export interface Hint {
  is: "hint";
  n?: number;
}

/** Host only: close the table for good. */
export interface CloseTable {
  is: "close_table";
  n?: number;
}

/** Answered at once by `pong`: the client measures the round trip. */
export interface Ping {
  is: "ping";
  n?: number;
  sent?: number;
}

/** The immediate answer to `probe`, with the same mark. */
export interface Probed {
  is: "probed";
  n?: number;
  mark: string;
}

/** The answer to `hello`. `token` identifies the same person at this table later, also without the cookie. */
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

/** A person or program at the table. */
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

/** A player of the current or last game. */
export interface PlayerShown {
  seat: number;
  guest: number | null;
  bot: string | null;
  name: string;
  left: boolean;
  result: "drawn" | "left" | "lost" | "open" | "won" | null;
}

/** Who paused the game, and when. */
export interface PauseShown {
  by: number | null;
  since: number;
}

/** The current or last game. `commitment` is the hash of the seed; `seed` is revealed after the end. `id` identifies the finished game. `repeated`: the same position has occurred three times, so a draw may be wise. */
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

/** The score of a guest or a bot over all games at this table. */
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

/** The public state of the table; sent whole after every change. */
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

/** The events of one move, as this viewer may see them. */
export interface Happened {
  seq: number;
  told: Record<string, unknown>[];
}

/** The game as this viewer may see it, with the events since the last message to this connection. `time` is the game's own time in milliseconds; `turn_ends` is when the turn clock runs out; `events` is null if the viewer missed more events than the server keeps. */
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

/** Every message up to number `ack` was handled; nothing else is new. */
export interface Ack {
  is: "ack";
  ack: number;
  seq: number;
}

/** The message was refused: the rule's clause, a sentence, its text key, the field it is about. `taken`: another player was faster. That is no mistake and costs nothing. */
export interface Refused {
  is: "refused";
  n: number;
  clause: string | null;
  message: string;
  text: Record<string, unknown>;
  field: string | null;
  taken: boolean;
}

/** A guest sent a reaction, a phrase or a chat message. */
export interface Said {
  is: "said";
  guest: number;
  sort: "chat" | "phrase" | "reaction";
  what: string;
  at: number;
}

/** Whether a move would be accepted, and if not, why. */
export interface Explained {
  is: "explained";
  n: number;
  move: string;
  legal: boolean;
  clause: string | null;
  message: string | null;
  text: Record<string, unknown> | null;
}

/** The move of a careful player; null means to wait. */
export interface Hinted {
  is: "hinted";
  n: number;
  move: string | null;
}

/** The answer to `ping`. */
export interface Pong {
  is: "pong";
  n: number;
  sent: number;
  now: number;
}

/** Measures the round trip, so that SET calls of distant players count from when they were made. */
export interface Probe {
  is: "probe";
  mark: string;
}

/** The last message before the server closes the connection; `words` is the operator's explanation. */
export interface Bye {
  is: "bye";
  reason: string;
  words: string;
}

/** The body of every error: a sentence, its text key, the field and the rule's clause it is about. */
export interface Problem {
  message: string;
  text: Record<string, unknown>;
  field: string | null;
  clause: string | null;
}

/** How fast a player found SETs that differ in `features` features. */
export interface KindOfTime {
  features: number;
  count: number;
  best_ms: number | null;
  median_ms: number | null;
}

/** A person's name. */
export interface MakePerson {
  name: string;
}

/** A person, and when they first came. */
export interface PersonShown {
  name: string;
  made: number;
}

/** A player of a finished game, and their result. */
export interface GamePlayer {
  player: number;
  name: string;
  result: "drawn" | "left" | "lost" | "open" | "won";
}

/** One of my finished games; `what` is the edition or variant. */
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

/** The results of all my games of one edition or variant. */
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

/** Wins in a row: the longest streak and the current one. */
export interface Streak {
  best: number;
  now: number;
}

/** Days with a game: the total, the longest streak and the current one. */
export interface DaysPlayed {
  played: number;
  best: number;
  now: number;
}

/** A personal best and the id of its game. */
export interface Best {
  value: number;
  game: string;
}

/** My statistics in SET. */
export interface SetStats {
  found: number;
  wrong: number;
  times: KindOfTime[];
  fastest: Best | null;
  fastest_solitaire: Best | null;
  fewest_missed: Best | null;
  most_found: Best | null;
}

/** My statistics over all finished games. */
export interface StatsShown {
  games: number;
  results: ResultsCounted[];
  wins: Streak;
  days: DaysPlayed;
  set: SetStats;
}

/** A link that signs another device in as the same person, once, within `seconds`; `qr` is its QR code. */
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

/** A new table: the game with its edition or variant and options, the seats, the bots and the settings. */
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

/** The addresses of a new table: `path` is the invite link on this site, `qr` its QR code. */
export interface TableMade {
  code: string;
  path: string;
  qr: string;
  socket: string;
}

/** A table in a list. */
export interface TableFound {
  code: string;
  game: string;
  given: Record<string, unknown>;
  seats: SeatShown[];
  guests: GuestShown[];
  playing: PlayingShown | null;
}

/** The name of a program that will play at a table. */
export interface MakeToken {
  name: string;
}

/** A program's token, and the socket it is for. */
export interface TokenMade {
  token: string;
  socket: string;
}

/** A game that this server offers, with its bots and its editions or variants (`ways`). */
export interface GameOffered {
  game: string;
  rules: number;
  timed: boolean;
  bots: string[];
  ways: Record<string, unknown>[];
}

/** The result of replaying a record. */
export interface VerifiedShown {
  sound: boolean;
  messages: string[];
  commitment: string;
  moves: number;
  ending: Record<string, unknown> | null;
}

/** A designed card. */
export interface DesignGiven {
  design: Record<string, unknown>;
}

/** A designed card with its share code and its rules in sentences. */
export interface DesignShown {
  code: string;
  design: Record<string, unknown>;
  words: string[];
}

/** A lesson: the first View of the learner, who is player 0, and the cards to point at. */
export interface LessonShown {
  key: string;
  view: Record<string, unknown>;
  point: string[];
}

/** The learner's moves since the lesson began. */
export interface LessonMoves {
  moves: string[];
}

/** The View after these moves, the events of the last one, and whether the lesson is done. `refused` explains why the last move is not allowed. */
export interface LessonTried {
  view: Record<string, unknown>;
  events: Record<string, unknown>[];
  done: boolean;
  refused: Problem | null;
}

/** Today's date (UTC), when it ends, and the number of SETs in each kind of puzzle. */
export interface PuzzlesToday {
  day: string;
  ends: number;
  now: number;
  counts: Record<string, number>;
}

/** A daily puzzle. `began` is the time of the first look; the signed token carries it for people without a cookie. Once a person has solved it, the answer contains their time and all `sets`. */
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

/** The outcome: events as in the games, each with a sentence (`says`), and the number of SETs left. `milliseconds` is the time from the first look to the last SET, by the server's clock, once all are found. */
export interface PuzzleTried {
  events: Record<string, unknown>[];
  left: number;
  milliseconds: number | null;
}

/** My daily puzzles of one kind: my time by day, the current and the longest streak, my best and my median time. A day counts for the streak if its puzzle was solved on that day, or within an hour after midnight. */
export interface PuzzleStanding {
  days: Record<string, number>;
  streak: number;
  longest: number;
  best_ms: number | null;
  median_ms: number | null;
}

/** My daily puzzles by kind; `day` is today. */
export interface MyPuzzles {
  day: string;
  kinds: Record<string, PuzzleStanding>;
}

/** A layout for practice; its SETs all differ in `differing` features, or in any number of them (null). The token carries the layout and the time of the first look. */
export interface PracticeShown {
  cards: string[];
  differing: number | null;
  count: number;
  token: string;
}

/** Three cards of a layout that may be a SET, and the number of hints used. With a hint no time is stored. */
export interface PracticeTry {
  token: string;
  cards: string[];
  hints?: number;
}

/** The outcome; for a SET, the number of features in which it differs and the time it took. */
export interface PracticeTried {
  events: Record<string, unknown>[];
  differing: number | null;
  milliseconds: number | null;
}

/** Asks for the first one, two or three cards of a SET in a layout. */
export interface PracticeHint {
  token: string;
  count?: number;
}

/** The first `count` cards of the easiest SET, always of the same one. */
export interface PracticeHinted {
  cards: string[];
}

/** My times in practice without hints, for SETs that differ in one number of features. */
export interface PracticeTimes {
  count: number;
  mean_ms: number;
  best_ms: number;
}

/** A player of the game; a bot's name is its level. */
export interface ReplayPlayer {
  player: number;
  seat: number;
  name: string;
  bot: boolean;
  result: "drawn" | "left" | "lost" | "open" | "won";
  score: number | null;
}

/** One move: the player (null: time ran out), the game's own time, the events, and the change of the View. A change is `["is", value]`, `["in", {part: change}]`, `["keep", n, rest]` or `["gone"]`; null: nothing changed. */
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

/** A finished game. `you` is the player who sent the request; `frames` is null if the rules have changed since. */
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

/** Whether a finished game is sound, with the reasons as text keys. */
export interface Checked {
  sound: boolean;
  texts: Record<string, unknown>[];
}

/** A SET on the table: the players who could take it (`reach`), how long it lay there, and its outcome. `found_ms` is the time from its third card to the call. `broken`: another SET used one of its cards. `overlooked`: while it lay there, everybody agreed that there was no SET. */
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

/** The cards on the table after move number `move`, and for how long; `sets` and `taken` are indices of SETs. */
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

/** A failed call: three wrong cards and the reason, or no cards in time. */
export interface WrongReviewed {
  move: number;
  at: number;
  player: number;
  failure: "gave_up" | "left" | "time_up" | "wrong_set";
  cards: string[];
  failing: Record<string, unknown>[];
}

/** Calls at almost the same time: the first player, their margin in milliseconds, and the others in order. */
export interface CloseCall {
  move: number;
  player: number;
  margin_ms: number | null;
  others: number[];
}

/** One player's figures; `missed` counts the SETs in reach that nobody took although there was time. */
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

/** The review of a finished game of SET; times are the game's own, in milliseconds. */
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

/** The server's version, the version of its socket protocol, and its clock. */
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

/** A message that took long to handle. */
export interface SlowShown {
  at: number;
  table: string;
  kind: string;
  ms: number;
}

/** The load of the process that answers. */
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

/** One page of the list of tables. */
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

/** One page of the list of people. */
export interface PeoplePage {
  total: number;
  size: number;
  people: PersonLine[];
}

/** The explanation for the people at the table. */
export interface CloseByOperator {
  words?: string;
}

/** A current ban. */
export interface BanShown {
  id: string;
  name: string;
  address: string | null;
  words: string;
  made: number;
  until: number | null;
}

/** A new ban of a person or an address, with its duration and an explanation for the banned person. */
export interface MakeBan {
  person?: string | null;
  address?: string | null;
  hours?: number | null;
  words?: string;
  addresses_too?: boolean;
}

export type ClientMessage =
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

export type ServerMessage =
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
