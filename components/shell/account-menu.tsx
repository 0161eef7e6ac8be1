'use client';
import { Check, ChevronsUpDown, LogOut, Monitor, Moon, Sun, UserRound } from 'lucide-react';
import Link from 'next/link';
import { Avatar } from '#components/ui/avatar.tsx';
import {
  DropdownMenu,
  DropdownMenuItem,
  DropdownMenuLabel,
  DropdownMenuSeparator,
} from '#components/ui/dropdown-menu.tsx';
import type { ShellProps } from './shell-types.ts';
import { type Theme, THEMES } from './theme.ts';
import { useTheme } from './use-theme.ts';

const THEME_LABELS: Record<Theme, string> = { system: 'Like the system', light: 'Light', dark: 'Dark' };
const THEME_ICONS = { system: Monitor, light: Sun, dark: Moon };

type AccountMenuProps = Omit<ShellProps, 'canEdit' | 'findWorkflows'> & { compact?: boolean };

/** Who is signed in and where; the account, other workspaces, the theme, signing out. */
export function AccountMenu({ compact = false, ...props }: AccountMenuProps) {
  const [theme, setTheme] = useTheme(props.theme);
  return (
    <DropdownMenu
      side={compact ? 'bottom' : 'top'}
      align={compact ? 'end' : 'start'}
      trigger={
        <button
          type="button"
          aria-label={`Account: ${props.email}`}
          className="flex w-full min-w-0 items-center gap-2.5 rounded-md p-1.5 text-left hover:bg-hover max-lg:justify-center"
        >
          <Avatar text={props.email} />
          <span className="min-w-0 flex-1 max-lg:hidden">
            <span className="block truncate text-sm font-medium">{props.workspaceName}</span>
            <span className="block truncate text-xs text-muted">{props.email}</span>
          </span>
          <ChevronsUpDown aria-hidden className="size-4 shrink-0 text-muted max-lg:hidden" />
        </button>
      }
    >
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
      <DropdownMenuLabel>Colours</DropdownMenuLabel>
      {THEMES.map((value) => {
        const Icon = THEME_ICONS[value];
        return (
          <DropdownMenuItem
            key={value}
            icon={<Icon aria-hidden />}
            hint={theme === value ? '✓' : ''}
            onSelect={() => setTheme(value)}
          >
            {THEME_LABELS[value]}
          </DropdownMenuItem>
        );
      })}
      <DropdownMenuSeparator />
      <DropdownMenuItem icon={<LogOut aria-hidden />} onSelect={() => void props.signOut()}>
        Sign out
      </DropdownMenuItem>
    </DropdownMenu>
  );
}
