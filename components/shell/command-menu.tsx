'use client';
import { LayoutTemplate, Plus, Search, Upload, Workflow } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { type ReactNode, useEffect, useState } from 'react';
import { CommandPalette } from '#components/ui/command-palette.tsx';
import { Kbd } from '#components/ui/kbd.tsx';
import { DESTINATIONS } from './navigation.ts';
import type { ShellProps } from './shell-types.ts';

const OPEN_EVENT = 'patchbay:open-command-menu';

/** The search field of the navigation: opens the command menu. */
export function OpenCommandMenu({ children }: { children: ReactNode }) {
  return (
    <button
      type="button"
      onClick={() => window.dispatchEvent(new Event(OPEN_EVENT))}
      className="flex h-9 items-center gap-3 rounded-md border border-line bg-canvas px-2.5 text-muted hover:border-line-strong hover:text-ink max-lg:justify-center"
    >
      {children}
      <span className="max-lg:hidden">
        <Kbd>⌘K</Kbd>
      </span>
    </button>
  );
}

/** Go anywhere from the keyboard: ⌘K or Ctrl+K. */
export function CommandMenu({ canEdit, findWorkflows }: Pick<ShellProps, 'canEdit' | 'findWorkflows'>) {
  const [open, setOpen] = useState(false);
  const [workflows, setWorkflows] = useState<{ id: string; name: string }[]>([]);
  const router = useRouter();
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
  useEffect(() => {
    if (!open) return;
    let current = true;
    void findWorkflows().then((found) => current && setWorkflows(found));
    return () => {
      current = false;
    };
  }, [open, findWorkflows]);

  const go = (href: string) => () => router.push(href);
  const create = [
    {
      id: 'create',
      label: 'Create a workflow',
      icon: <Plus />,
      keywords: ['new', 'add'],
      run: go('/workflows?create=1'),
    },
    {
      id: 'import',
      label: 'Import a workflow',
      icon: <Upload />,
      keywords: ['json', 'file'],
      run: go('/workflows?import=1'),
    },
    {
      id: 'gallery',
      label: 'Start from the gallery',
      icon: <LayoutTemplate />,
      keywords: ['starters', 'examples'],
      run: go('/gallery'),
    },
  ];
  return (
    <CommandPalette
      open={open}
      onOpenChange={setOpen}
      label="Commands"
      placeholder="Go to a screen or a workflow…"
      groups={[
        {
          heading: 'Go to',
          commands: DESTINATIONS.map(({ href, label, icon: Icon, keywords }) => ({
            id: href,
            label,
            keywords,
            icon: <Icon />,
            run: go(href),
          })),
        },
        ...(canEdit ? [{ heading: 'Create', commands: create }] : []),
        {
          heading: 'Workflows',
          commands: workflows.map(({ id, name }) => ({
            id,
            label: name,
            icon: <Workflow />,
            run: go(`/workflows/${id}`),
          })),
        },
        {
          heading: 'Settings',
          commands: [
            {
              id: 'members',
              label: 'Members and invitations',
              icon: <Search />,
              run: go('/settings/members'),
            },
            { id: 'keys', label: 'API keys', icon: <Search />, run: go('/settings/api-keys') },
            { id: 'audit', label: 'Audit log', icon: <Search />, run: go('/settings/audit-log') },
            {
              id: 'account',
              label: 'Your account and password',
              icon: <Search />,
              run: go('/settings/account'),
            },
          ],
        },
      ].filter((group) => group.commands.length > 0)}
    />
  );
}
