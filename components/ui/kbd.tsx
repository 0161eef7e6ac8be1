'use client';
import { useShortcut } from './use-shortcut.ts';

/** A key of the keyboard, or several: written with Ctrl and Alt, shown as the reader's keyboard has them. */
export const Kbd = ({ children }: { children: string }) => (
  <kbd className="rounded-sm border border-line bg-canvas px-1.5 py-px font-sans text-xs text-muted">
    {useShortcut(children)}
  </kbd>
);
