'use client';
import { Command } from 'cmdk';
import { Braces, Search } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { IconButton } from '#components/ui/icon-button.tsx';
import { Popover } from '#components/ui/popover.tsx';
import type { VariableGroup } from '#lib/editor/canvas/available-variables.ts';
import { shortValue } from '#lib/editor/canvas/short-value.ts';

export interface VariablePickerProps {
  groups: readonly VariableGroup[];
  /** Says which event the values are of. */
  sample: ReactNode;
  onPick: (path: string) => void;
}

/** Variables by task with their values, to be found by a word and put in with a click. */
export function VariablePicker({ groups, sample, onPick }: VariablePickerProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <Popover
      open={isOpen}
      onOpenChange={setOpen}
      label="Variables"
      align="end"
      className="w-96! p-0!"
      trigger={
        <IconButton label="Insert a variable" size="sm" className="h-6 w-7">
          <Braces aria-hidden />
        </IconButton>
      }
    >
      <Command label="Variables" loop>
        <div className="flex items-center gap-2.5 border-b border-line px-3">
          <Search aria-hidden className="size-4 shrink-0 text-muted" />
          <Command.Input
            placeholder="Search variables and values"
            className="h-10 w-full bg-transparent outline-none placeholder:text-muted"
          />
        </div>
        <div className="border-b border-line px-3 py-1.5 text-xs text-muted">{sample}</div>
        <Command.List className="max-h-80 overflow-y-auto p-1.5">
          <Command.Empty className="px-3 py-5 text-center text-muted">No variable matches.</Command.Empty>
          {groups.map((group) => (
            <Command.Group
              key={group.taskId ?? 'system'}
              heading={group.title}
              className="[&_[cmdk-group-heading]]:px-2 [&_[cmdk-group-heading]]:py-1 [&_[cmdk-group-heading]]:text-xs [&_[cmdk-group-heading]]:font-medium [&_[cmdk-group-heading]]:text-muted"
            >
              {group.variables.map(({ path, label, value, description }) => (
                <Command.Item
                  key={path}
                  value={path}
                  keywords={[group.title, label, shortValue(value)]}
                  onSelect={() => {
                    setOpen(false);
                    onPick(path);
                  }}
                  className="flex items-baseline justify-between gap-3 rounded-md px-2 py-1 select-none data-[selected=true]:bg-hover"
                >
                  <span className="max-w-[55%] shrink-0 truncate" title={`{{${path}}}`}>
                    {label}
                  </span>
                  <span className="min-w-0 truncate text-sm text-muted" title={description}>
                    {value === undefined ? (description ?? 'no value yet') : shortValue(value) || 'empty'}
                  </span>
                </Command.Item>
              ))}
            </Command.Group>
          ))}
        </Command.List>
      </Command>
    </Popover>
  );
}
