// Checks in the browser that a seed matches the hash that was published before the game.

export type Match = 'right' | 'wrong' | 'unable';

/** Compares the SHA-256 of the seed with the commitment; `unable` without https, where browsers offer no hashing. */
export async function checkCommitment(seed: string, commitment: string): Promise<Match> {
  if (globalThis.crypto?.subtle === undefined) return 'unable';
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(seed));
  const hex = [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  return commitment === `sha256:${hex}` ? 'right' : 'wrong';
}
