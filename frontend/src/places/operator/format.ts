// Times and figures on the operator's page.

import { language, t } from '../../lib/i18n.svelte.ts';

export function moment(at: number): string {
  return new Date(at).toLocaleString(language(), { dateStyle: 'short', timeStyle: 'short' });
}

export function number(value: number | null, digits = 0): string {
  return value === null ? '–' : value.toLocaleString(language(), { maximumFractionDigits: digits });
}

export function milliseconds(value: number | null): string {
  return value === null ? '–' : `${number(value, 1)} ms`;
}

export function duration(from: number, to: number): string {
  const minutes = Math.max(0, Math.floor((to - from) / 60_000));
  return t('page.operator.lasted', {
    d: Math.floor(minutes / 1440),
    h: Math.floor(minutes / 60) % 24,
    m: minutes % 60,
  });
}
