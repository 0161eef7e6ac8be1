'use client';
import { useShortcut } from './use-shortcut.ts';

/** Keys of a shortcut: written with Ctrl and Alt, shown for the reader's keyboard. */
export const Kbd = ({ children }: { children: string }) => (
  <kbd className="rounded-sm border border-line bg-canvas px-1.5 py-px font-sans text-xs text-muted">
    {useShortcut(children)}
  </kbd>
);
