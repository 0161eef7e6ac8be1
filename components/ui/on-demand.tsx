'use client';
import {
  type ComponentType,
  type KeyboardEvent,
  lazy,
  type MouseEvent,
  type ReactNode,
  useState,
} from 'react';
import { later } from './later.ts';
import { MissingPart, type MissingPartProps, PartBoundary } from './missing-part.tsx';

export type OpenedBy = 'pointer' | 'keyboard';

/** A component whose code is fetched when it is first shown, or before that by `preload`. */
export type OnDemand<Props> = ComponentType<Props & PartProps> & { preload: () => void };

interface PartProps {
  /** Closes what was to be opened, when its code is missing and nobody wants to try again. */
  onDismiss?: () => void;
  /** Stays on the screen while the code is missing: the trigger that the part was to take the place of. */
  instead?: ReactNode;
}

/**
 * What opens on a click need not be loaded before: `onDemand(async () => (await import('./x.tsx')).X)`. Where its code
 * cannot be fetched, that is said with a way to try again; the rest of the screen stays as it is.
 * @param Missing what is shown in its place then; null for what nobody misses
 */
export function onDemand<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  Missing: ComponentType<MissingPartProps> | null = MissingPart,
): OnDemand<Props> {
  const fetchPart = later(load);
  let ready: ComponentType<Props> | undefined;
  const fetchAgain = () => lazy(async () => ({ default: (ready = await fetchPart()) }));
  let part: ComponentType<Props> = fetchAgain();
  const renew = () => {
    part = fetchAgain();
    return part;
  };
  function Part({ onDismiss, instead, ...props }: Props & PartProps) {
    const [{ Shown }, show] = useState(() => ({ Shown: ready ?? part }));
    return (
      <PartBoundary
        Missing={Missing}
        onMissing={renew}
        onRetry={() => show({ Shown: part })}
        onDismiss={onDismiss}
        instead={instead}
      >
        <Shown {...(props as unknown as Props)} />
      </PartBoundary>
    );
  }
  // Showing it fetches again, and says so when that fails too.
  return Object.assign(Part, { preload: () => void fetchPart().catch(() => undefined) });
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
  return { openedBy, opener, close: () => setOpenedBy(null) };
}
