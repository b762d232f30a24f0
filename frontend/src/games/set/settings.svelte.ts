// The settings of SET on this device.

import { gameSettings } from '../../lib/settings.svelte.ts';
import type { KeyChoice } from './keyboardLayout.ts';
import type { PaletteName } from './palettes.ts';

export interface SetSettings {
  palette: PaletteName;
  /** Light or dark cards; by itself, light ones. */
  setFaces: 'auto' | 'light' | 'dark';
  /** A sign on each colour. */
  signs: boolean;
  keys: KeyChoice;
  ownKeys: string[];
  /** Do cards show their keys? */
  letters: 'auto' | 'on' | 'off';
  /** The bot to play with in a quick game; its neighbour comes along. */
  setBots: string;
  /** How SET is played with others, unless a table says otherwise. */
  setStyle: 'quick' | 'tabletop';
}

export const settings = gameSettings<SetSettings>('set', {
  palette: 'classic',
  setFaces: 'auto',
  signs: false,
  keys: 'auto',
  ownKeys: [],
  letters: 'auto',
  setBots: 'Tilda',
  setStyle: 'quick',
});
