'use client';
import { ChevronsUpDown } from 'lucide-react';
import { Avatar } from '#components/ui/badge.tsx';
import { DropdownMenu } from '#components/ui/overlay/dropdown-menu.tsx';
import { onDemand } from '#components/ui/on-demand.tsx';
import type { AccountItemsProps } from './account-items.tsx';

const AccountItems = onDemand(async () => (await import('./account-items.tsx')).AccountItems);

type AccountMenuProps = AccountItemsProps & { compact?: boolean };

/** The user and workspace; account, other workspaces, theme, sign out. */
export function AccountMenu({ compact = false, ...props }: AccountMenuProps) {
  return (
    <DropdownMenu
      side={compact ? 'bottom' : 'top'}
      align={compact ? 'end' : 'start'}
      trigger={
        <button
          type="button"
          aria-label={`Account: ${props.email}`}
          className="flex w-full min-w-0 items-center gap-2.5 rounded-md p-1.5 text-left hover:bg-hover rail:justify-center"
        >
          <Avatar text={props.email} />
          <span className="min-w-0 flex-1 rail:hidden">
            <span title={props.workspaceName} className="block truncate text-sm font-medium">
              {props.workspaceName}
            </span>
            <span title={props.email} className="block truncate text-xs text-muted">
              {props.email}
            </span>
          </span>
          <ChevronsUpDown aria-hidden className="size-4 shrink-0 text-muted rail:hidden" />
        </button>
      }
    >
      <AccountItems {...props} />
    </DropdownMenu>
  );
}
