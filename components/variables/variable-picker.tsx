'use client';
import { Braces } from 'lucide-react';
import { type ReactNode, useRef, useState } from 'react';
import { IconButton } from '#components/ui/icon-button.tsx';
import { Popover } from '#components/ui/overlay/popover.tsx';
import type { VariableGroup } from '#lib/editor/canvas/available-variables.ts';
import { type Picked, VariableList } from './variable-list.tsx';

export interface VariablePickerProps {
  groups: readonly VariableGroup[];
  /** Shows the event of the values. */
  sample: ReactNode;
  /** Inserts it into the field, and focuses the field. */
  onPick: (picked: Picked) => void;
}

/** Searchable variables and formatting helpers, inserted with a click. */
export function VariablePicker({ groups, sample, onPick }: VariablePickerProps) {
  const [isOpen, setOpen] = useState(false);
  const picked = useRef<Picked>(undefined);
  return (
    <Popover
      open={isOpen}
      onOpenChange={setOpen}
      label="Variables"
      align="end"
      className="w-[26rem]! p-0!"
      onCloseAutoFocus={(event) => {
        // The focus moves to the field, not to the button that opened this.
        if (picked.current === undefined) return;
        event.preventDefault();
        onPick(picked.current);
        picked.current = undefined;
      }}
      trigger={
        <IconButton label="Insert a variable" size="sm" className="h-6 w-7">
          <Braces aria-hidden />
        </IconButton>
      }
    >
      <VariableList
        groups={groups}
        sample={sample}
        onPick={(choice) => {
          picked.current = choice;
          setOpen(false);
        }}
      />
    </Popover>
  );
}
