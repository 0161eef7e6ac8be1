'use client';
import type { ActionResult } from '#lib/identity/auth/action-types.ts';
import { OneFieldCard } from './one-field-card.tsx';

export interface WorkspaceFormProps {
  name: string;
  rename: (input: { name: string }) => Promise<ActionResult<void>>;
}

export const WorkspaceForm = ({ name, rename }: WorkspaceFormProps) => (
  <OneFieldCard
    title="Workspace"
    description="Contains workflows, connections and members."
    label="Name"
    saved={name}
    save={(text) => rename({ name: text })}
    success="Workspace renamed"
  />
);
