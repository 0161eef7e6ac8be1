'use client';
import {
  type ComponentType,
  type KeyboardEvent,
  lazy,
  type LazyExoticComponent,
  type MouseEvent,
  useState,
} from 'react';

export type OpenedBy = 'pointer' | 'keyboard';

/** A component whose code is fetched when it is first shown, or before that by `preload`. */
export type OnDemand<Props> = LazyExoticComponent<ComponentType<Props>> & { preload: () => void };

/** What opens on a click need not be loaded before: `onDemand(async () => (await import('./x.tsx')).X)`. */
export function onDemand<Props>(load: () => Promise<ComponentType<Props>>): OnDemand<Props> {
  const part = lazy(async () => ({ default: await load() }));
  // Showing it fetches again, and says so when that fails too.
  return Object.assign(part, { preload: () => void load().catch(() => undefined) });
}

/**
 * What a trigger does until the code of what it opens is there: `openedBy` says that it was opened, and how, so that
 * the real control can take its place, open from the start. `opener` goes onto the trigger.
 */
export function useFirstOpening(hasPopup: 'menu' | 'listbox', preload: () => void) {
  const [openedBy, setOpenedBy] = useState<OpenedBy | null>(null);
  const opener = {
    'aria-haspopup': hasPopup,
    'aria-expanded': false,
    onPointerEnter: preload,
    onFocus: preload,
    onClick: ({ detail }: MouseEvent) => setOpenedBy(detail === 0 ? 'keyboard' : 'pointer'),
    onKeyDown: (event: KeyboardEvent) => {
      if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
      event.preventDefault();
      setOpenedBy('keyboard');
    },
  };
  return { openedBy, opener };
}
