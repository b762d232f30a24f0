// Whether a seed is the one whose hash was shown before the game, worked out in the browser itself.

export type Match = 'right' | 'wrong' | 'unable';

/** Compares SHA-256 of the seed with what was promised; without https browsers cannot work it out. */
export async function hashMatches(seed: string, commitment: string): Promise<Match> {
  if (globalThis.crypto?.subtle === undefined) return 'unable';
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(seed));
  const hex = [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  return commitment === `sha256:${hex}` ? 'right' : 'wrong';
}
