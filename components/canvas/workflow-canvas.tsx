'use client';
import '@xyflow/react/dist/base.css';
import './canvas.css';
import { Background, Controls, ReactFlow, ReactFlowProvider } from '@xyflow/react';
import { useMemo, useState } from 'react';
import { toDocument } from '#lib/editor/canvas/document.ts';
import { withPositions } from '#lib/editor/canvas/layout.ts';
import type { WorkflowGraph } from '#lib/engine/graph-types.ts';
import type { TaskRunStatus } from '#lib/engine/run-types.ts';
import { CalledNames } from './canvas-mode.ts';
import { EDGE_TYPES, FIT_OPTIONS, MAX_ZOOM, MIN_ZOOM, NODE_TYPES } from './flow-parts.tsx';
import { taskIdOf, taskNodeId } from '#components/editor/node-ids.ts';
import { toEdges, toNodes } from './to-flow.ts';

export interface WorkflowCanvasProps {
  graph: WorkflowGraph;
  /** Always: the editor has its own canvas. */
  readOnly: true;
  /** Status of a run's tasks, by task id; left out: only the workflow. */
  overlay?: Readonly<Record<number, TaskRunStatus>> | undefined;
  /** Names of the workflows that tasks call, by id. */
  calledNames?: ReadonlyMap<string, string> | undefined;
  selectedTaskId?: number | undefined;
  /** Called on a click on a task, or Enter. */
  onSelect?: (taskId: number) => void;
}

const NO_NAMES: ReadonlyMap<string, string> = new Map();

/** A read-only workflow, with an optional run; it fills its parent, which needs a height. */
export function WorkflowCanvas({
  graph,
  overlay,
  calledNames = NO_NAMES,
  selectedTaskId,
  onSelect,
}: WorkflowCanvasProps) {
  const [chosen, setChosen] = useState<number>();
  const shown = selectedTaskId ?? chosen;
  const { nodes, edges } = useMemo(() => {
    const document = withPositions(toDocument({ name: '', ...graph }));
    const selection = new Set(shown === undefined ? [] : [taskNodeId(shown)]);
    const input = { document, selection, overlay };
    return { nodes: toNodes(input, []), edges: toEdges(input, []) };
  }, [graph, overlay, shown]);
  const choose = (taskId: number | undefined) => {
    if (taskId === undefined) return;
    setChosen(taskId);
    onSelect?.(taskId);
  };
  return (
    <ReactFlowProvider>
      <CalledNames value={calledNames}>
        <section
          aria-label="Workflow canvas"
          className="size-full"
          onKeyDown={(event) => {
            const card = (event.target as HTMLElement).closest<HTMLElement>('[data-task-id]');
            if (event.key === 'Enter' && card) choose(Number(card.dataset['taskId']));
          }}
        >
          <ReactFlow
            nodes={nodes}
            edges={edges}
            nodeTypes={NODE_TYPES}
            edgeTypes={EDGE_TYPES}
            nodesDraggable={false}
            nodesConnectable={false}
            nodesFocusable={false}
            edgesFocusable={false}
            disableKeyboardA11y
            deleteKeyCode={null}
            onNodeClick={(_event, node) => choose(taskIdOf(node.id))}
            fitView
            fitViewOptions={FIT_OPTIONS}
            minZoom={MIN_ZOOM}
            maxZoom={MAX_ZOOM}
          >
            <Background gap={24} size={1.5} />
            <Controls showInteractive={false} />
          </ReactFlow>
        </section>
      </CalledNames>
    </ReactFlowProvider>
  );
}
