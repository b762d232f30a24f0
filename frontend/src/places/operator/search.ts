// What the operator looks for in a list.

export interface Search {
  words: string;
  order: string;
  page: number;
}
