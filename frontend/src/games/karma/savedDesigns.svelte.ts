// Designed cards (by code) and house editions (by name) saved on this device.

import type { HouseEdition } from '../../generated/karma.ts';
import { readStorage, writeStorage } from '../../lib/settings.svelte.ts';

export interface SavedHouse {
  name: string;
  edition: HouseEdition;
}

export const saved: { designs: string[]; houses: SavedHouse[] } = $state({
  designs: readStorage<string[]>('threefold.designs', []),
  houses: readStorage<SavedHouse[]>('threefold.houses', []),
});

export function saveDesign(code: string): void {
  saved.designs = [code, ...saved.designs.filter((each) => each !== code)].slice(0, 60);
  writeStorage('threefold.designs', saved.designs);
}

export function deleteDesign(code: string): void {
  saved.designs = saved.designs.filter((each) => each !== code);
  writeStorage('threefold.designs', saved.designs);
}

export function saveHouse(house: SavedHouse): void {
  saved.houses = [house, ...saved.houses.filter((each) => each.name !== house.name)].slice(0, 30);
  writeStorage('threefold.houses', saved.houses);
}

export function deleteHouse(name: string): void {
  saved.houses = saved.houses.filter((each) => each.name !== name);
  writeStorage('threefold.houses', saved.houses);
}
