'use client';
import { useSyncExternalStore } from 'react';

/** Keys of a shortcut: written with Ctrl and Alt, shown for the reader's keyboard. */
export const Kbd = ({ children }: { children: string }) => (
  <kbd className="rounded-sm border border-line bg-canvas px-1.5 py-px font-sans text-xs text-muted">
    {useShortcut(children)}
  </kbd>
);

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
