// The words about a character, in the reader's language.

import { hasText, t } from './i18n.svelte.ts';

/** What a bot is called in a list to choose from. */
export function labelOf(name: string): string {
  return hasText(`page.bot.${name}`) ? t(`page.bot.${name}`) : name;
}

/** One sentence about a character; empty for understudies. */
export function temperOf(name: string): string {
  const key = `page.temper.${name.toLowerCase()}`;
  return hasText(key) ? t(key) : '';
}
