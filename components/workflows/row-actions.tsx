'use client';
import { CopyPlus, Download, ListPlus, PencilLine, Tag, Trash2 } from 'lucide-react';
import Link from 'next/link';
import { useEffect, useRef, useState } from 'react';
import { DropdownMenuItem, DropdownMenuSeparator } from '#components/ui/overlay/dropdown-menu.tsx';
import { Input } from '#components/ui/form/input.tsx';
import type { WorkflowRow } from '#lib/workflows/row-schema.ts';

export interface RowActionsProps {
  row: WorkflowRow;
  canEdit: boolean;
  onStartRename: () => void;
  onEditTags: (row: WorkflowRow) => void;
  onDuplicate: (row: WorkflowRow) => void;
  onExport: (row: WorkflowRow) => void;
  onRemove: (row: WorkflowRow) => void;
}

/** Actions for a workflow in the list. */
export const RowActions = ({
  row,
  canEdit,
  onStartRename,
  onEditTags,
  onDuplicate,
  onExport,
  onRemove,
}: RowActionsProps) => (
  <>
    {canEdit && (
      <>
        <DropdownMenuItem icon={<PencilLine />} hint="F2" onSelect={onStartRename}>
          Rename
        </DropdownMenuItem>
        <DropdownMenuItem icon={<Tag />} onSelect={() => onEditTags(row)}>
          Edit tags
        </DropdownMenuItem>
        <DropdownMenuItem icon={<CopyPlus />} onSelect={() => onDuplicate(row)}>
          Duplicate
        </DropdownMenuItem>
      </>
    )}
    {row.publishedVersion !== null && (
      <DropdownMenuItem asChild>
        <Link href={`/workflows/${row.id}/lists`}>
          <ListPlus aria-hidden />
          {canEdit ? 'Send to a list…' : 'Lists of this workflow'}
        </Link>
      </DropdownMenuItem>
    )}
    <DropdownMenuItem icon={<Download />} onSelect={() => onExport(row)}>
      Export as JSON
    </DropdownMenuItem>
    {canEdit && (
      <>
        <DropdownMenuSeparator />
        <DropdownMenuItem icon={<Trash2 />} danger onSelect={() => onRemove(row)}>
          Delete
        </DropdownMenuItem>
      </>
    )}
  </>
);

const MAX_NAME_CHARACTERS = 200;

/** Renames in place: Enter or blur saves, Escape cancels. @param onDone null: keep the old name */
export function RenameInput({ name, onDone }: { name: string; onDone: (name: string | null) => void }) {
  const [text, setText] = useState(name);
  const input = useRef<HTMLInputElement>(null);
  // The menu that opened it returns the focus to its button when it closes: focus after that.
  useEffect(() => {
    const timer = setTimeout(() => input.current?.select(), 0);
    return () => clearTimeout(timer);
  }, []);
  const keep = () => onDone(text.trim() || null);
  return (
    <Input
      ref={input}
      aria-label="Name"
      autoFocus
      value={text}
      maxLength={MAX_NAME_CHARACTERS}
      onChange={(event) => setText(event.target.value)}
      onBlur={(event) => {
        if (event.relatedTarget?.getAttribute('aria-haspopup') !== 'menu') keep();
      }}
      onKeyDown={(event) => {
        if (event.key === 'Enter') keep();
        if (event.key === 'Escape') onDone(null);
      }}
    />
  );
}
