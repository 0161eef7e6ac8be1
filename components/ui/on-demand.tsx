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

/** A component whose code is loaded when it is first shown, or earlier by `preload`. */
export type OnDemand<Props> = ComponentType<Props & PartProps> & { preload: () => void };

interface PartProps {
  /** Closes the part when its code is missing and the user does not retry. */
  onDismiss?: () => void;
  /** Stays on the screen while the code is missing: the trigger that the part replaces. */
  instead?: ReactNode;
}

/**
 * Loads a component on demand: `onDemand(async () => (await import('./x.tsx')).X)`. Where its code cannot be loaded, a
 * message offers a retry; the rest of the screen stays.
 * @param Missing replaces it then; null to show nothing
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
  // Rendering it loads again, and shows the problem when that fails, too.
  return Object.assign(Part, { preload: () => void fetchPart().catch(() => undefined) });
}

/**
 * State of a trigger until its part's code is loaded: `openedBy` is how it was opened, so that the real control can replace
 * it, initially open. `opener` are the trigger's props.
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
