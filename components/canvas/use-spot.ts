import { useReactFlow } from '@xyflow/react';
import { useCallback } from 'react';
import { parseEdgeKey } from '#lib/engine/graph.ts';
import type { Spot } from '#lib/editor/canvas/commands.ts';
import { findTask } from '#lib/editor/canvas/document.ts';
import { exitsOf } from '#lib/tasks/exits.ts';
import { useEditor } from '#components/editor/editor-context.tsx';

/** Position of a task that is added without a pointer: on the selected edge, after the selected task, else in the middle. */
export function useSpot(): () => Spot {
  const editor = useEditor();
  const flow = useReactFlow();
  return useCallback(() => {
    const { selectedEdge, openTaskId } = editor.state;
    if (selectedEdge !== undefined) return { kind: 'between', edge: parseEdgeKey(selectedEdge) };
    const from = editor.selectedTaskId ?? openTaskId ?? onlyTask(editor.document.tasks);
    const task = from === undefined ? undefined : findTask(editor.document, from);
    if (!task) {
      const middle = { x: window.innerWidth / 2, y: window.innerHeight / 2 };
      return { kind: 'free', at: flow.screenToFlowPosition(middle) };
    }
    const taken = editor.document.edges.filter((edge) => edge.from === task.id).map((edge) => edge.branch);
    const exits = exitsOf(task);
    const exit = exits.find(({ branch }) => !taken.includes(branch)) ?? exits[0];
    return { kind: 'after', from: task.id, branch: exit?.branch };
  }, [editor, flow]);
}

const onlyTask = (tasks: readonly { id: number }[]): number | undefined =>
  tasks.length === 1 ? tasks[0]?.id : undefined;
