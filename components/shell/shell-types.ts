import type { Layout } from './layout-cookie.ts';

/** Data of the shell about the user and workspace. */
export interface ShellProps {
  email: string;
  roleLabel: string;
  workspaceId: string;
  workspaceName: string;
  workspaces: readonly { id: string; name: string }[];
  canEdit: boolean;
  layout: Pick<Layout, 'nav' | 'editorNav'>;
  signOut: () => Promise<void>;
  switchWorkspace: (id: string) => Promise<void>;
  /** Workflows for the command palette. */
  findWorkflows: () => Promise<{ id: string; name: string }[]>;
}
