// Fixtures are made by tests/browser/fixtures.py in a folder named by THREEFOLD_FIXTURES; see docs/guides/page.md.

import { readFileSync } from 'node:fs';

export const TEXTS = new URL('../../src/threefold/texts/', import.meta.url);

export function fixture<T>(name: string): T {
  const folder = process.env.THREEFOLD_FIXTURES;
  if (folder === undefined) throw new Error('THREEFOLD_FIXTURES names no folder');
  return JSON.parse(readFileSync(`${folder}/${name}.json`, 'utf-8')) as T;
}
