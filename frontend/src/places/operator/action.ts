// What the operator is about to do, and is asked to confirm.

export type Action =
  { about: 'close'; code: string } | { about: 'person'; person: string; name: string } | { about: 'address' };
