'use client';
import type { ReactNode } from 'react';
import { NameDialog } from '#components/ui/name-dialog.tsx';
import type { ActionResult } from '#lib/identity/auth/action-types.ts';

export interface NewWorkspaceDialogProps {
  trigger: ReactNode;
  create: (input: { name: string }) => Promise<ActionResult<{ id: string; name: string }>>;
  /** Opens the created workspace. */
  open: (id: string) => Promise<void>;
}

/** Asks for a name, creates the workspace and opens it. */
export const NewWorkspaceDialog = ({ trigger, create, open }: NewWorkspaceDialogProps) => (
  <NameDialog
    trigger={trigger}
    title="Create workspace"
    description="It starts empty, and you become its owner."
    help="For example, the name of a client or team."
    maxLength={100}
    create={(name) => create({ name })}
    onCreated={({ id }) => open(id)}
  />
);
