// Browser features that may be missing or need https, with fallbacks: clipboard, sharing, random ids,
// notifications.

/** Copies a text and says whether it worked. Falls back to `execCommand` where there is no clipboard API. */
export async function copy(text: string): Promise<boolean> {
  try {
    if (navigator.clipboard && isSecureContext) {
      await navigator.clipboard.writeText(text);
      return true;
    }
  } catch {
    // Permission denied: use the fallback.
  }
  const area = document.createElement('textarea');
  area.value = text;
  area.style.position = 'fixed';
  area.style.opacity = '0';
  document.body.append(area);
  area.select();
  // eslint-disable-next-line @typescript-eslint/no-deprecated -- the only way without https
  const worked = document.execCommand('copy');
  area.remove();
  return worked;
}

export function canShare(): boolean {
  return typeof navigator.share === 'function';
}

/** Opens the device's share dialog; copies the link where there is none. */
export async function share(title: string, url: string): Promise<'shared' | 'copied' | 'failed'> {
  if (canShare()) {
    try {
      await navigator.share({ title, url });
      return 'shared';
    } catch (problem) {
      if (problem instanceof DOMException && problem.name === 'AbortError') return 'shared';
    }
  }
  return (await copy(url)) ? 'copied' : 'failed';
}

/** A random id for this page's connection. */
export function randomName(): string {
  const bytes = new Uint8Array(12);
  if ('crypto' in globalThis) crypto.getRandomValues(bytes);
  else bytes.forEach((_, i) => (bytes[i] = Math.floor(Math.random() * 256)));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

export function canNotify(): boolean {
  return typeof Notification !== 'undefined' && isSecureContext;
}

export async function askToNotify(): Promise<boolean> {
  return canNotify() && (await Notification.requestPermission()) === 'granted';
}

export function notify(title: string, body: string): void {
  try {
    if (canNotify() && Notification.permission === 'granted' && document.hidden) {
      new Notification(title, { body, tag: 'threefold', icon: '/icon-192.png' });
    }
  } catch {
    // Some phones allow notifications only from a service worker.
  }
}
