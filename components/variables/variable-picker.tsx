'use client';
import { Braces } from 'lucide-react';
import { type ReactNode, useRef, useState } from 'react';
import { IconButton } from '#components/ui/icon-button.tsx';
import { Popover } from '#components/ui/popover.tsx';
import type { VariableGroup } from '#lib/editor/canvas/available-variables.ts';
import { type Picked, VariableList } from './variable-list.tsx';

export interface VariablePickerProps {
  groups: readonly VariableGroup[];
  /** Says which event the values are of. */
  sample: ReactNode;
  /** Puts it into the field, and the keyboard behind it. */
  onPick: (picked: Picked) => void;
}

/** Variables and formatting helpers, to be found by a word and inserted with a click. */
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
        // The keyboard continues in the field, not on the button that opened this.
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
