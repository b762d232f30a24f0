// What this device keeps of one's own: designed cards by their codes, house editions by the names they were given.

import type { Json } from './texts.ts';
import { recall, remember } from './settings.svelte.ts';

export interface House {
  name: string;
  edition: { [name: string]: Json };
}

export const kept: { designs: string[]; houses: House[] } = $state({
  designs: recall<string[]>('threefold.designs', []),
  houses: recall<House[]>('threefold.houses', []),
});

export function keepDesign(code: string): void {
  kept.designs = [code, ...kept.designs.filter((each) => each !== code)].slice(0, 60);
  remember('threefold.designs', kept.designs);
}

export function dropDesign(code: string): void {
  kept.designs = kept.designs.filter((each) => each !== code);
  remember('threefold.designs', kept.designs);
}

export function keepHouse(house: House): void {
  kept.houses = [house, ...kept.houses.filter((each) => each.name !== house.name)].slice(0, 30);
  remember('threefold.houses', kept.houses);
}

export function dropHouse(name: string): void {
  kept.houses = kept.houses.filter((each) => each.name !== name);
  remember('threefold.houses', kept.houses);
}
