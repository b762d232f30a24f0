// What a viewer sees of a game of War.

export interface WarView {
  hands: number[];
  won: number[];
  turned: (number | null)[];
  moves: string[];
}
