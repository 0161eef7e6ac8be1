'use client';
import { useState } from 'react';
import { useEditorContext, useEditorState } from '#components/editor/editor-context.tsx';
import { Button } from '#components/ui/button.tsx';
import { Callout } from '#components/ui/callout.tsx';
import { Dialog } from '#components/ui/dialog.tsx';
import type { ActionError } from '#lib/identity/auth/action-types.ts';
import { DraftEffects, readOwnNumber, saveOwnNumber } from './draft-effects.tsx';
import { DraftInput, useDraftInput } from './draft-input.tsx';
import { startDraftRun } from './start-draft-run.ts';

/** Selects the input of the draft run, and the effects to let through. */
export function RunDraftDialog() {
  const context = useEditorContext();
  const { editor } = context;
  const last = useEditorState((state) => state.draftRun?.effects);
  const input = useDraftInput();
  const [sends, setSends] = useState(last !== undefined && last.send_to !== null);
  const [ownNumber, setOwnNumber] = useState(() => last?.send_to ?? readOwnNumber());
  const [callsServices, setCallsServices] = useState(last?.call_services ?? false);
  const [problem, setProblem] = useState<ActionError>();
  const [busy, setBusy] = useState(false);
  const close = () => editor.store.set({ dialog: null });
  const run = async () => {
    if (sends && ownNumber.trim() === '') {
      const missing = { path: 'send_to', message: 'Enter your number.' };
      return setProblem({ code: 'invalid_request', message: missing.message, problems: [missing] });
    }
    setBusy(true);
    if (sends) saveOwnNumber(ownNumber);
    const request = { ...input.chosen, send_to: sends ? ownNumber : null, call_services: callsServices };
    const refused = await startDraftRun(context, request);
    setBusy(false);
    setProblem(refused);
  };
  const problemAt = (path: string) => problem?.problems.find((each) => each.path === path)?.message;
  const inForm = problemAt('send_to') ?? problemAt('body');
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && close()}
      title="Run the draft"
      description="Runs the workflow as it is on the canvas, without publishing it."
      size="lg"
      footer={
        <>
          <Button onClick={close}>Cancel</Button>
          <Button variant="primary" loading={busy} disabled={!input.isReady} onClick={() => void run()}>
            Run draft
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-5">
        <DraftInput input={input} error={problemAt('body')} />
        <DraftEffects
          {...{ sends, setSends, ownNumber, setOwnNumber, callsServices, setCallsServices }}
          error={problemAt('send_to')}
        />
        {problem && inForm === undefined && (
          <Callout tone="danger" live>
            {problem.message}
          </Callout>
        )}
      </div>
    </Dialog>
  );
}
