'use client';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Badge } from '#components/ui/badge.tsx';
import { Button } from '#components/ui/button.tsx';
import { Callout } from '#components/ui/callout.tsx';
import { Dialog } from '#components/ui/dialog.tsx';
import { RelativeTime } from '#components/ui/relative-time.tsx';
import { Spinner } from '#components/ui/spinner.tsx';
import type { WorkflowVersion } from '#lib/workflows/version-types.ts';
import { useEditorContext, useEditorState } from '#components/editor/editor-context.tsx';
import { VersionPreview } from './version-preview.tsx';

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
