// Who sits at this device. Without a name one is made up, so that "Play now" is one tap.

import { api, Refusal } from './api.ts';
import { recall, remember } from './settings.svelte.ts';
import { t } from './words.svelte.ts';

const KEY = 'threefold.name';

export const person: { name: string; known: boolean } = $state({ name: recall(KEY, ''), known: false });

/** Looks who we are; a stranger stays one until there is something to do. */
export async function meet(asked = recall(KEY, '') !== ''): Promise<void> {
  if (!asked) return;
  try {
    person.name = (await api.me()).name;
    person.known = true;
    remember(KEY, person.name);
  } catch (problem) {
    if (!(problem instanceof Refusal)) throw problem;
  }
}

/** Makes sure that the server knows us, under the name given or one that is as good as another. */
export async function introduce(name = person.name): Promise<void> {
  const wanted = name.trim() || t('page.guest');
  if (person.known && wanted === person.name) return;
  person.name = (await api.beSomebody(wanted)).name;
  person.known = true;
  remember(KEY, person.name);
}

/** This device knows nobody any more. */
export function forget(): void {
  person.name = '';
  person.known = false;
  remember(KEY, '');
}
