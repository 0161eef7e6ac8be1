'use client';
import {
  CircleHelp,
  LayoutTemplate,
  MessageSquareText,
  Plus,
  Search,
  Upload,
  UserRound,
  Workflow,
} from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useEffect, useState } from 'react';
import { CommandPalette } from '#components/ui/overlay/command-palette.tsx';
import { HELP_PAGES } from '#components/help/help-link.tsx';
import { isMessageId, messageHref } from '#components/live/customer-words.ts';
import { useFoundCustomers } from './use-found-customers.ts';
import { DESTINATIONS } from './navigation.ts';
import type { ShellProps } from './shell-types.ts';

export interface CommandListProps extends Pick<ShellProps, 'canEdit' | 'findWorkflows'> {
  onClose: () => void;
}

/** Every screen, every workflow, and everything that can be created. */
export function CommandList({ canEdit, findWorkflows, onClose }: CommandListProps) {
  const [workflows, setWorkflows] = useState<{ id: string; name: string }[]>([]);
  const [search, setSearch] = useState('');
  const customers = useFoundCustomers(search);
  const router = useRouter();
  useEffect(() => {
    let current = true;
    void findWorkflows().then((found) => current && setWorkflows(found));
    return () => {
      current = false;
    };
  }, [findWorkflows]);

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
      open
      onOpenChange={onClose}
      label="Commands"
      placeholder="Go to a page, workflow or customer…"
      onSearch={setSearch}
      groups={[
        {
          heading: 'Go to',
          commands: [
            ...DESTINATIONS.map(({ href, label, icon: Icon, keywords }) => ({
              id: href,
              label,
              keywords,
              icon: <Icon />,
              run: go(href),
            })),
            {
              id: 'help',
              label: 'Help',
              keywords: ['documentation', 'guides', 'troubleshooting', 'support'],
              icon: <CircleHelp />,
              run: () => void window.open(HELP_PAGES.start, '_blank', 'noreferrer'),
            },
          ],
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
          heading: 'Customers',
          commands: [
            ...customers.map(({ id, title, detail }) => ({
              id,
              label: title,
              detail,
              // The server has found it: what was typed may be another spelling.
              keywords: [search],
              icon: <UserRound />,
              run: go(`/customers/${id}`),
            })),
            ...(isMessageId(search)
              ? [
                  {
                    id: 'message',
                    label: 'Show this message',
                    keywords: [search],
                    icon: <MessageSquareText />,
                    run: go(messageHref(search.trim())),
                  },
                ]
              : []),
          ],
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
