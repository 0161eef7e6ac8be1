'use client';
import { Badge } from '#components/ui/badge.tsx';
import { Switch } from '#components/ui/form/checkbox.tsx';
import { toast } from '#components/ui/overlay/toaster.tsx';
import { PauseDialog } from '#components/workflows/pause-dialog.tsx';
import { SilenceBadge } from '#components/workflows/silence-badge.tsx';
import { useState } from 'react';
import type { PublishedState } from '#lib/screens/editor-types.ts';
import { useEditor, useEditorContext, useEditorState } from '#components/editor/editor-context.tsx';

/** The published version, and whether the draft differs from it. */
export function LiveBadge() {
  const live = useEditorState((state) => state.live);
  const { publishedVersion, active } = live;
  const isChanged = useEditorState((state) => state.changeCount > 0);
  const { silence } = useEditor();
  if (publishedVersion === null) return <Badge tone="neutral">Not published</Badge>;
  return (
    <span className="flex items-center gap-1.5">
      <Badge tone={active ? 'success' : 'warning'}>
        {active
          ? `Version ${publishedVersion} is published`
          : `Version ${publishedVersion}, paused${tellHeld(live)}`}
      </Badge>
      {isChanged && <Badge tone="info">Unpublished changes</Badge>}
      {active && silence && <SilenceBadge silence={silence} compact />}
    </span>
  );
}

function tellHeld({ holdsRuns, heldRuns }: PublishedState): string {
  if (!holdsRuns) return '';
  return heldRuns === 0 ? ', holds webhooks' : `, holds ${tellCount(heldRuns)}`;
}

/** They are counted up to 10,000. */
const tellCount = (count: number): string =>
  count === 1 ? '1 run' : `${count < 10_000 ? '' : 'at least '}${count.toLocaleString('en')} runs`;

/** Pauses or resumes the published workflow. */
export function ActiveSwitch() {
  const { editor, actions } = useEditorContext();
  const { publishedVersion, active } = useEditorState((state) => state.live);
  const [busy, setBusy] = useState(false);
  if (publishedVersion === null) return null;
  const resume = async () => {
    setBusy(true);
    try {
      const result = await actions.setActive({ id: editor.workflowId, active: true, hold: false });
      if (!result.ok) return void toast.error(result.error.message);
      editor.store.set({ live: result.data });
      toast.success('Resumed');
    } catch {
      toast.error('The server cannot be reached. Try again in a moment.');
    } finally {
      setBusy(false);
    }
  };
  return (
    <Switch
      label={<span className="text-sm max-sm:sr-only">Active</span>}
      checked={active}
      disabled={busy}
      onCheckedChange={(next) => (next ? void resume() : editor.store.set({ dialog: 'pause' }))}
    />
  );
}

/** Asks whether webhooks are refused or held, and pauses the published workflow. */
export function PauseLive() {
  const { editor, actions } = useEditorContext();
  const name = useEditorState((state) => state.history.present.name);
  const calledBy = useEditorState((state) => state.live.calledBy);
  const pause = async (hold: boolean): Promise<string | undefined> => {
    try {
      const result = await actions.setActive({ id: editor.workflowId, active: false, hold });
      if (!result.ok) return result.error.message;
      editor.store.set({ live: result.data });
      toast.success(hold ? 'Paused. Webhooks are held' : 'Paused. Events are saved and can be replayed');
      return undefined;
    } catch {
      return 'The server cannot be reached. Try again in a moment.';
    }
  };
  return (
    <PauseDialog
      name={name}
      calledBy={calledBy}
      pause={pause}
      close={() => editor.store.set({ dialog: null })}
    />
  );
}
