'use client';
import { Check, LogOut, Monitor, Moon, Sun, UserRound } from 'lucide-react';
import Link from 'next/link';
import {
  DropdownMenuItem,
  DropdownMenuLabel,
  DropdownMenuSeparator,
} from '#components/ui/overlay/dropdown-menu.tsx';
import { forgetAll } from '#components/editor/browser-store.ts';
import type { ShellProps } from './shell-types.ts';
import { changeTheme, currentTheme, type Theme, THEMES } from './theme.ts';

const THEME_LABELS: Record<Theme, string> = { system: 'System', light: 'Light', dark: 'Dark' };
const THEME_ICONS = { system: Monitor, light: Sun, dark: Moon };

export type AccountItemsProps = Omit<ShellProps, 'canEdit' | 'findWorkflows' | 'layout'>;

/** Items of the account menu. */
export const AccountItems = (props: AccountItemsProps) => (
  <>
    <DropdownMenuLabel>
      {props.email} · {props.roleLabel}
    </DropdownMenuLabel>
    <DropdownMenuItem asChild>
      <Link href="/settings/account">
        <UserRound aria-hidden />
        Your account
      </Link>
    </DropdownMenuItem>
    {props.workspaces.length > 1 && (
      <>
        <DropdownMenuSeparator />
        <DropdownMenuLabel>Workspace</DropdownMenuLabel>
        {props.workspaces.map(({ id, name }) => (
          <DropdownMenuItem
            key={id}
            icon={<Check aria-hidden className={id === props.workspaceId ? '' : 'invisible'} />}
            onSelect={() => void props.switchWorkspace(id)}
          >
            {name}
          </DropdownMenuItem>
        ))}
      </>
    )}
    <DropdownMenuSeparator />
    <DropdownMenuLabel>Theme</DropdownMenuLabel>
    {THEMES.map((value) => {
      const Icon = THEME_ICONS[value];
      return (
        <DropdownMenuItem
          key={value}
          icon={<Icon aria-hidden />}
          hint={currentTheme() === value ? '✓' : ''}
          onSelect={() => changeTheme(value)}
        >
          {THEME_LABELS[value]}
        </DropdownMenuItem>
      );
    })}
    <DropdownMenuSeparator />
    <DropdownMenuItem
      icon={<LogOut aria-hidden />}
      // Unsaved drafts are only stored in the browser while their author is signed in.
      onSelect={() =>
        void forgetAll()
          .catch(() => undefined)
          .then(() => props.signOut())
      }
    >
      Sign out
    </DropdownMenuItem>
  </>
);
