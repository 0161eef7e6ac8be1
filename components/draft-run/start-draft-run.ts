import { toast } from '#components/ui/overlay/toaster.tsx';
import type { DraftRunRequest } from '#components/editor/draft-run-types.ts';
import type { EditorContextValue } from '#components/editor/editor-context.tsx';
import type { ActionError } from '#lib/identity/auth/action-types.ts';

/** Saves the draft, runs it, and shows the run on the canvas. @returns why it did not start */
export async function startDraftRun(
  { editor, actions, flush }: EditorContextValue,
  request: Omit<DraftRunRequest, 'id' | 'draft_revision'>,
): Promise<ActionError | undefined> {
  try {
    if (!(await flush()))
      return { code: 'conflict', message: 'The draft could not be saved, so it was not run.', problems: [] };
    const { workflowId: id, state } = editor;
    const started = await actions.runDraft({ ...request, id, draft_revision: state.revision });
    if (!started.ok) return started.error;
    const { send_to, call_services } = request;
    const draftRun = { ...started.data, effects: { send_to, call_services }, statuses: {} };
    editor.store.set({ draftRun, dialog: null });
    return undefined;
  } catch {
    const message = 'The server cannot be reached. Try again in a moment.';
    return { code: 'internal', message, problems: [] };
  }
}

/** The same, with a toast instead of a form for the reason. */
export async function startDraftRunOrSay(...input: Parameters<typeof startDraftRun>): Promise<void> {
  const problem = await startDraftRun(...input);
  if (problem) toast.error(problem.message);
}
