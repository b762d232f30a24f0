// How SET looks on this device: the palette of the cards, and the keys that pick them.

import { hasFinePointer, theme } from '../../lib/settings.svelte.ts';
import { blockOf } from './keyboardLayout.ts';
import { applyPalette, facesOf } from './palettes.ts';
import { settings } from './settings.svelte.ts';

// Whatever draws a card imports this module, so the palette is there before the first card.
$effect.root(() => {
  $effect.pre(() => {
    applyPalette(document.documentElement, settings.palette, facesOf(settings.palette, settings.setFaces, theme()));
  });
});

/** The 21 keys for cards, row by row. */
export function keyBlock(): string[] {
  return blockOf(settings.keys, settings.ownKeys, navigator.language);
}

/** Do cards show their keys? By default only with a mouse, where a keyboard is likely. */
export function showsKeyLabels(): boolean {
  return settings.letters === 'on' || (settings.letters === 'auto' && hasFinePointer());
}

/** The key that opens a card large. Layouts that need I for a card leave 8 free. */
export function lookKey(): string {
  return keyBlock().includes('i') ? '8' : 'i';
}
