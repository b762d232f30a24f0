/** What a tap on a seat of the lobby does, and its name for screen readers. */
export interface SeatAction {
  label: string;
  run: () => void;
  pressed?: boolean;
}
