import { useSyncExternalStore } from 'react';

const MAC_KEYS: Readonly<Record<string, string>> = { Ctrl: '⌘', Alt: '⌥', Shift: '⇧' };

/** A shortcut such as `Ctrl K` for the reader's keyboard: `⌘ K` on a Mac. */
export function useShortcut(shortcut: string): string {
  const isMac = useSyncExternalStore(
    () => () => undefined,
    () => /Mac|iPhone|iPad/.test(navigator.userAgent),
    () => false,
  );
  return isMac ? shortcut.replaceAll(/\b(Ctrl|Alt|Shift)\b/g, (key) => MAC_KEYS[key] ?? key) : shortcut;
}
