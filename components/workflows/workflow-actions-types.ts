import type { StartLogin } from '#components/connections/connect-button.tsx';
import type { ChosenSender, SenderFieldsProps } from '#components/connections/sender-fields.tsx';
import type { ActionResult } from '#lib/identity/auth/action-types.ts';
import type { DeletionPreview } from '#lib/workflows/trash/schema.ts';
import type { ImportCheck } from '#lib/workflows/import-schema.ts';

/** The server actions of the list, passed in by its page. */
export interface WorkflowActions {
  createBlank: (input: { name: string; trigger: string }) => Promise<ActionResult<{ id: string }>>;
  rename: (input: { id: string; name: string }) => Promise<ActionResult<void>>;
  setTags: (input: { id: string; tags: string[] }) => Promise<ActionResult<void>>;
  setActive: (input: { id: string; active: boolean; hold: boolean }) => Promise<ActionResult<void>>;
  duplicate: (input: { id: string }) => Promise<ActionResult<{ id: string; name: string }>>;
  previewDeletion: (input: { id: string }) => Promise<ActionResult<DeletionPreview>>;
  remove: (input: { id: string; cancel_runs: boolean }) => Promise<ActionResult<void>>;
  restore: (input: { id: string; activate: boolean }) => Promise<ActionResult<void>>;
  exportJson: (input: { id: string }) => Promise<ActionResult<{ name: string; json: string }>>;
  listOptions: SenderFieldsProps['listOptions'];
  startLogin: StartLogin;
  checkImportText: (input: { text: string }) => Promise<ActionResult<ImportCheck>>;
  importText: (input: {
    text: string;
    connections: Record<string, string>;
    sender?: ChosenSender;
  }) => Promise<ActionResult<{ id: string }>>;
}
