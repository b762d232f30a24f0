// The name of a game with its edition or variant.

import { hasText, t } from './i18n.svelte.ts';

export function wayName(game: string, way: string): string {
  const key = `page.edition.${way}`;
  return `${t(`page.game.${game}`)} · ${hasText(key) ? t(key) : way}`;
}
