'use client';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { WorkflowCanvas } from '#components/canvas/workflow-canvas.tsx';
import { useEditorContext, useEditorState } from '#components/editor/editor-context.tsx';
import { Button } from '#components/ui/button.tsx';
import { Callout } from '#components/ui/callout.tsx';
import { Spinner } from '#components/ui/spinner.tsx';
import { toast } from '#components/ui/toaster.tsx';
import { restoreVersion } from '#lib/editor/canvas/restore-version.ts';
import type { NamedGraph } from '#lib/screens/editor-types.ts';
import { diffGraphs } from '#lib/workflows/diff-graphs.ts';
import { DiffList } from './diff-list.tsx';

/** A read-only version, its differences from the draft, and the button that restores it. */
export function VersionPreview({ version }: { version: number }) {
  const { editor, actions } = useEditorContext();
  const { data, isPending } = useQuery({
    queryKey: ['version', editor.workflowId, version],
    // A version never changes.
    staleTime: Infinity,
    queryFn: () => actions.getVersion({ id: editor.workflowId, version }),
  });
  if (isPending) return <Spinner />;
  if (!data?.ok)
    return <Callout tone="danger">{data?.error.message ?? 'The version could not be loaded.'}</Callout>;
  return <Preview version={version} graph={data.data} />;
}

function Preview({ version, graph }: { version: number; graph: NamedGraph }) {
  const { editor } = useEditorContext();
  const draft = useEditorState(({ history }) => history.present);
  const diff = useMemo(() => diffGraphs(restoreVersion(graph, draft), draft), [graph, draft]);
  const restore = () => {
    editor.run(`Restore version ${version}`, (document) => restoreVersion(graph, document));
    editor.store.set({ dialog: null });
    toast.success(`Version ${version} is the draft now. Undo brings your draft back.`);
  };
  return (
    <div className="mt-3 flex flex-col gap-3">
      <div className="h-56 overflow-hidden rounded-lg border border-line" data-version-preview={version}>
        <WorkflowCanvas graph={graph} readOnly />
      </div>
      <section aria-label={`Changes from version ${version} to your draft`}>
        <h3 className="mb-1 font-semibold">Changes to your draft</h3>
        <DiffList diff={diff} none="Your draft is the same as this version." />
      </section>
      {editor.canEdit && (
        <Button size="sm" variant="primary" className="self-start" onClick={restore}>
          Use this version as the draft
        </Button>
      )}
    </div>
  );
}
