// When keys belong to the table, and when to a field or a dialog.

const FIELDS = ['INPUT', 'TEXTAREA', 'SELECT'];

/** Does this key belong to a field, a dialog or the browser? */
export function isTyping(event: KeyboardEvent): boolean {
  const inField = event.target instanceof HTMLElement && FIELDS.includes(event.target.tagName);
  const inDialog = document.querySelector('dialog[open]') !== null;
  return event.ctrlKey || event.metaKey || event.altKey || inField || inDialog;
}
