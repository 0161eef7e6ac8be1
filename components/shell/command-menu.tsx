'use client';
import { type ReactNode, Suspense, useEffect, useState } from 'react';
import { Kbd } from '#components/ui/kbd.tsx';
import { onDemand } from '#components/ui/on-demand.tsx';
import type { ShellProps } from './shell-types.ts';

const OPEN_EVENT = 'patchbay:open-command-menu';
const CommandList = onDemand(async () => (await import('./command-list.tsx')).CommandList);

/** The search field of the navigation: opens the command menu. */
export function OpenCommandMenu({ children }: { children: ReactNode }) {
  return (
    <button
      type="button"
      onPointerEnter={CommandList.preload}
      onFocus={CommandList.preload}
      onClick={() => window.dispatchEvent(new Event(OPEN_EVENT))}
      className="flex h-9 items-center gap-3 rounded-md border border-line bg-canvas px-2.5 text-muted hover:border-line-strong hover:text-ink rail:justify-center"
    >
      {children}
      <span className="rail:hidden">
        <Kbd>Ctrl K</Kbd>
      </span>
    </button>
  );
}

/** Opens with Ctrl+K, or ⌘K on a Mac. */
export function CommandMenu(props: Pick<ShellProps, 'canEdit' | 'findWorkflows'>) {
  const [open, setOpen] = useState(false);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.metaKey || event.ctrlKey)) return;
      event.preventDefault();
      setOpen((before) => !before);
    };
    const onOpen = () => setOpen(true);
    window.addEventListener('keydown', onKey);
    window.addEventListener(OPEN_EVENT, onOpen);
    return () => {
      window.removeEventListener('keydown', onKey);
      window.removeEventListener(OPEN_EVENT, onOpen);
    };
  }, []);
  return (
    <Suspense>
      {open && <CommandList {...props} onClose={() => setOpen(false)} onDismiss={() => setOpen(false)} />}
    </Suspense>
  );
}
