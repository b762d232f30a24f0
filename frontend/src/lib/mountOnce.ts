// Adds a component without visible parts to the page, once.

import { mount, type Component } from 'svelte';

const mounted = new Set<Component>();

export function mountOnce(component: Component): void {
  if (mounted.has(component)) return;
  mounted.add(component);
  mount(component, { target: document.body });
}
