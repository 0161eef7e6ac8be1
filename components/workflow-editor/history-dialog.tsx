'use client';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { WorkflowCanvas } from '#components/canvas/workflow-canvas.tsx';
import { useEditorContext, useEditorState } from '#components/editor/editor-context.tsx';
import { Badge } from '#components/ui/badge.tsx';
import { Button } from '#components/ui/button.tsx';
import { Callout } from '#components/ui/callout.tsx';
import { Dialog } from '#components/ui/overlay/dialog.tsx';
import { Spinner } from '#components/ui/loading.tsx';
import { RelativeTime } from '#components/ui/relative-time.tsx';
import { toast } from '#components/ui/overlay/toaster.tsx';
import { restoreVersion } from '#lib/editor/canvas/document.ts';
import type { NamedGraph } from '#lib/screens/editor-types.ts';
import { diffGraphs } from '#lib/workflows/diff-graphs.ts';
import type { WorkflowVersion } from '#lib/workflows/versions.ts';
import { DiffList } from './diff-list.tsx';

/** All published versions, which can be restored. */
export function HistoryDialog() {
  const { editor } = useEditorContext();
  return (
    <Dialog
      open
      onOpenChange={() => editor.store.set({ dialog: null })}
      title="Versions"
      size="lg"
      description="Every time you publish, the workflow is saved as a version."
    >
      <Versions />
    </Dialog>
  );
}

function Versions() {
  const { editor, actions } = useEditorContext();
  const published = useEditorState((state) => state.live.publishedVersion);
  const { data, isPending } = useQuery({
    queryKey: ['versions', editor.workflowId, published],
    queryFn: () => actions.listVersions({ id: editor.workflowId }),
  });
  if (isPending) return <Spinner />;
  if (!data?.ok)
    return <Callout tone="danger">{data?.error.message ?? 'The versions could not be loaded.'}</Callout>;
  if (data.data.length === 0) return <p className="text-muted">This workflow has not been published yet.</p>;
  return (
    <ol className="flex flex-col divide-y divide-line">
      {data.data.map((version) => (
        <Version key={version.version} version={version} isLive={version.version === published} />
      ))}
    </ol>
  );
}

function Version({ version, isLive }: { version: WorkflowVersion; isLive: boolean }) {
  const [isShown, setShown] = useState(false);
  const active = useEditorState((state) => state.live.active);
  return (
    <li className="py-3">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <div className="min-w-0 flex-1">
          <p className="flex items-center gap-2 font-medium">
            Version {version.version}
            {isLive && (
              <Badge tone={active ? 'success' : 'warning'}>{active ? 'Live' : 'Published, paused'}</Badge>
            )}
          </p>
          <p className="truncate text-sm text-muted">
            <RelativeTime at={version.createdAt} /> by {version.author} · {version.taskCount}{' '}
            {version.taskCount === 1 ? 'task' : 'tasks'}
          </p>
        </div>
        <Button size="sm" aria-expanded={isShown} onClick={() => setShown(!isShown)}>
          {isShown ? 'Hide preview' : 'Preview'}
        </Button>
      </div>
      {isShown && <VersionPreview version={version.version} />}
    </li>
  );
}

/** A read-only version, its differences from the draft, and the button that restores it. */
function VersionPreview({ version }: { version: number }) {
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
