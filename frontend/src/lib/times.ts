// Clock times and calendar days as text.

/** `1:23`, or `1:02:03` from an hour on. */
export function formatClock(milliseconds: number): string {
  const seconds = Math.max(0, Math.floor(milliseconds / 1000));
  const [h, m, s] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const two = (n: number): string => String(n).padStart(2, '0');
  return h > 0 ? `${h}:${two(m)}:${two(s)}` : `${m}:${two(s)}`;
}

/** Seconds with one decimal: `4.2`. */
export function formatTenths(milliseconds: number, language: string): string {
  return new Intl.NumberFormat(language, { minimumFractionDigits: 1, maximumFractionDigits: 1 }).format(
    milliseconds / 1000,
  );
}

/** Seconds with two decimals: `4.23`. */
export function formatHundredths(milliseconds: number, language: string): string {
  return new Intl.NumberFormat(language, { minimumFractionDigits: 2, maximumFractionDigits: 2 }).format(
    Math.floor(milliseconds / 10) / 100,
  );
}

const DAY = 86_400_000;

function at(day: string): number {
  return Date.parse(`${day}T00:00:00Z`);
}

/** The day `days` days after `day`. */
export function addDays(day: string, days: number): string {
  return new Date(at(day) + days * DAY).toISOString().slice(0, 10);
}

export function formatDay(day: string, language: string, style: 'long' | 'medium' | 'short' = 'long'): string {
  const parts = style === 'short' ? ({ day: 'numeric', month: 'short' } as const) : { dateStyle: style };
  return new Intl.DateTimeFormat(language, { ...parts, timeZone: 'UTC' }).format(at(day));
}

export function formatMonth(month: string, language: string): string {
  return new Intl.DateTimeFormat(language, { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(
    at(`${month}-01`),
  );
}

/** The weeks of a month, Monday first; days of other months are null. */
export function weeksOf(month: string): (string | null)[][] {
  const first = `${month}-01`;
  const lead = (new Date(at(first)).getUTCDay() + 6) % 7;
  const days: (string | null)[] = Array<null>(lead).fill(null);
  for (let day = first; day.startsWith(month); day = addDays(day, 1)) days.push(day);
  while (days.length % 7 !== 0) days.push(null);
  return Array.from({ length: days.length / 7 }, (_, i) => days.slice(7 * i, 7 * i + 7));
}

/** Names of the weekdays, Monday first. */
export function weekdayNames(language: string): { short: string; long: string }[] {
  const say = (style: 'short' | 'long', i: number): string =>
    new Intl.DateTimeFormat(language, { weekday: style, timeZone: 'UTC' }).format(at('2024-01-01') + i * DAY);
  return Array.from({ length: 7 }, (_, i) => ({ short: say('short', i), long: say('long', i) }));
}
