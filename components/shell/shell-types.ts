/** What the shell shows of who is signed in and where. */
export interface ShellProps {
  email: string;
  roleLabel: string;
  workspaceId: string;
  workspaceName: string;
  workspaces: readonly { id: string; name: string }[];
  canEdit: boolean;
  signOut: () => Promise<void>;
  switchWorkspace: (id: string) => Promise<void>;
  /** Workflows for the command palette. */
  findWorkflows: () => Promise<{ id: string; name: string }[]>;
}
