'use client';
import { CopyPlus, Download, PencilLine, Tag, Trash2 } from 'lucide-react';
import { DropdownMenuItem, DropdownMenuSeparator } from '#components/ui/dropdown-menu.tsx';
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
