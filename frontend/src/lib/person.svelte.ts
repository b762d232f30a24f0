// The person at this device. A person without a name gets one, so that "Play now" takes one tap.

import { api, Refusal } from './api.ts';
import { readStorage, writeStorage } from './settings.svelte.ts';
import { t } from './i18n.svelte.ts';

const KEY = 'threefold.name';

export const person: { name: string; known: boolean } = $state({ name: readStorage(KEY, ''), known: false });

/** Loads the person from the server. By default it asks only if this device has a stored name. */
export async function loadPerson(wanted = readStorage(KEY, '') !== ''): Promise<void> {
  if (!wanted) return;
  try {
    person.name = (await api.me()).name;
    person.known = true;
    writeStorage(KEY, person.name);
  } catch (problem) {
    if (!(problem instanceof Refusal)) throw problem;
  }
}

/** Creates or renames the person on the server; without a name it uses the guest name. */
export async function ensurePerson(name = person.name): Promise<void> {
  const wanted = name.trim() || t('page.guest');
  if (person.known && wanted === person.name) return;
  person.name = (await api.createPerson(wanted)).name;
  person.known = true;
  writeStorage(KEY, person.name);
}

/** Forgets the person on this device. */
export function clearPerson(): void {
  person.name = '';
  person.known = false;
  writeStorage(KEY, '');
}
