'use client';
import dynamic from 'next/dynamic';
import { useMemo } from 'react';
import type { WorkflowGraph } from '#lib/engine/graph-types.ts';
import { toOverlay } from './group-iterations.ts';
import type { CalledRunView, TaskRunRow } from '#lib/screens/run-types.ts';

const WorkflowCanvas = dynamic(
  async () => (await import('#components/canvas/workflow-canvas.tsx')).WorkflowCanvas,
  { ssr: false },
);

/** The workflow that a run executes, with the status of its tasks. */
export function RunCanvas({
  graph,
  tasks,
  calls,
  selectedTaskId,
  onSelect,
}: {
  graph: WorkflowGraph;
  tasks: readonly TaskRunRow[];
  calls: readonly CalledRunView[];
  selectedTaskId: number | undefined;
  onSelect: (taskId: number) => void;
}) {
  const overlay = useMemo(() => toOverlay(tasks), [tasks]);
  const names = useMemo(
    () => new Map(calls.map(({ workflowId, workflowName }) => [workflowId, workflowName])),
    [calls],
  );
  return (
    <div className="h-56 overflow-hidden rounded-lg border border-line bg-surface shadow-raised sm:h-64">
      <WorkflowCanvas
        graph={graph}
        readOnly
        overlay={overlay}
        calledNames={names}
        selectedTaskId={selectedTaskId}
        onSelect={onSelect}
      />
    </div>
  );
}
