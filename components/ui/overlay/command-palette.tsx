'use client';
import { Command as Cmdk } from 'cmdk';
import { Search } from 'lucide-react';
import { Dialog } from 'radix-ui';
import { type ReactNode, useState } from 'react';
import { useFocusReturn } from './use-focus-return.ts';

export interface PaletteCommand {
  id: string;
  label: string;
  /** Further search terms. */
  keywords?: string[];
  /** Smaller text below the label. */
  detail?: string;
  icon?: ReactNode;
  hint?: string;
  run: () => void;
}

export interface CommandPaletteProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  /** For screen readers. */
  label: string;
  placeholder?: string;
  /** Called with what is typed, for commands that are found elsewhere. */
  onSearch?: (search: string) => void;
  /** Filtered by the search, unless a function returns the matches in order. */
  groups: readonly CommandGroup[] | ((search: string) => readonly CommandGroup[]);
}

interface CommandGroup {
  heading: string;
  commands: readonly PaletteCommand[];
}

/** A searchable list of commands; it closes before the selected one runs. */
export function CommandPalette({
  open,
  onOpenChange,
  label,
  placeholder = 'Search…',
  onSearch,
  groups,
}: CommandPaletteProps) {
  const [search, setSearch] = useState('');
  const focus = useFocusReturn();
  const isOwnSearch = typeof groups === 'function';
  const shown = isOwnSearch ? groups(search) : groups;
  const choose = (command: PaletteCommand) => {
    onOpenChange(false);
    command.run();
  };
  return (
    <Dialog.Root open={open} onOpenChange={onOpenChange}>
      <Dialog.Portal>
        <Dialog.Overlay className="fixed inset-0 z-50 animate-appear bg-overlay" />
        <Dialog.Content
          {...focus}
          aria-describedby={undefined}
          className="fixed inset-x-3 top-[12vh] z-50 mx-auto max-w-xl animate-rise overflow-hidden rounded-xl border border-line bg-raised shadow-overlay"
        >
          <Dialog.Title className="sr-only">{label}</Dialog.Title>
          <Cmdk label={label} loop shouldFilter={!isOwnSearch}>
            <div className="flex items-center gap-3 border-b border-line px-4">
              <Search aria-hidden className="size-4 shrink-0 text-muted" />
              <Cmdk.Input
                placeholder={placeholder}
                value={search}
                onValueChange={(text) => {
                  setSearch(text);
                  onSearch?.(text);
                }}
                className="h-12 w-full bg-transparent text-lg outline-none placeholder:text-muted"
              />
            </div>
            {/* Outside the list, which may only contain options. */}
            <Cmdk.Empty className="px-3 pt-6 pb-4 text-center text-muted">No results.</Cmdk.Empty>
            <Cmdk.List className="max-h-[50vh] overflow-y-auto p-2">
              {shown.map((group) => (
                <Cmdk.Group
                  key={group.heading}
                  heading={group.heading}
                  className="[&_[cmdk-group-heading]]:px-3 [&_[cmdk-group-heading]]:py-1.5 [&_[cmdk-group-heading]]:text-xs [&_[cmdk-group-heading]]:text-muted"
                >
                  {group.commands.map((command) => (
                    <Cmdk.Item
                      key={command.id}
                      value={`${command.label} ${command.id}`}
                      {...(command.keywords ? { keywords: command.keywords } : {})}
                      onSelect={() => choose(command)}
                      className="flex items-center gap-3 rounded-md px-3 py-2 select-none data-[selected=true]:bg-hover [&_svg]:size-4 [&_svg]:text-muted"
                    >
                      {command.icon}
                      <span className="min-w-0 flex-1">
                        <span className="block truncate">{command.label}</span>
                        {command.detail !== undefined && (
                          <span className="line-clamp-2 text-xs text-muted">{command.detail}</span>
                        )}
                      </span>
                      {command.hint && (
                        <span className="max-w-1/2 truncate text-xs text-muted">{command.hint}</span>
                      )}
                    </Cmdk.Item>
                  ))}
                </Cmdk.Group>
              ))}
            </Cmdk.List>
          </Cmdk>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
