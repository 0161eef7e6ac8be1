// Connects the editor's document with React Flow: nodes and edges for it, changes from it.
import { applyEdgeChanges, applyNodeChanges, type EdgeChange, type NodeChange } from '@xyflow/react';
import { useCallback, useLayoutEffect, useMemo, useState } from 'react';
import { useEditor, useEditorState } from '#components/editor/editor-context.tsx';
import { type ExitEdgeType, type FlowNode, toEdges, toNodes } from './to-flow.ts';

export function useFlow() {
  const editor = useEditor();
  const document = useEditorState((state) => state.history.present);
  const selection = useEditorState((state) => state.selection);
  const selectedEdge = useEditorState((state) => state.selectedEdge);
  const allProblems = useEditorState((state) => state.problems);
  const freshTaskId = useEditorState((state) => state.freshTaskId);
  const problems = useMemo(
    () => allProblems.filter(({ taskId }) => taskId === undefined || taskId !== freshTaskId),
    [allProblems, freshTaskId],
  );
  const renamingId = useEditorState((state) => state.renamingId);
  const overlay = useEditorState((state) => state.draftRun?.statuses);
  const pinned = useEditorState((state) => state.pinned);
  const [nodes, setNodes] = useState<FlowNode[]>(() => toNodes({ document, selection }, []));
  const [edges, setEdges] = useState<ExitEdgeType[]>(() => toEdges({ document, selection }, []));

  useLayoutEffect(() => {
    const input = { document, selection, problems, renamingId, overlay, pinned };
    setNodes((previous) => toNodes(input, previous));
  }, [document, selection, problems, renamingId, overlay, pinned]);
  useLayoutEffect(() => {
    setEdges((previous) => toEdges({ document, selection: new Set(), selectedEdge }, previous));
  }, [document, selectedEdge]);

  const onNodesChange = useCallback(
    (changes: NodeChange<FlowNode>[]) => {
      const own = changes.filter(({ type }) => type === 'position' || type === 'dimensions');
      if (own.length > 0) setNodes((previous) => applyNodeChanges(own, previous));
      const selects = changes.filter((change) => change.type === 'select');
      if (selects.length === 0) return;
      const next = new Set(editor.state.selection);
      for (const { id, selected } of selects) {
        if (selected) next.add(id);
        else next.delete(id);
      }
      editor.select(next);
    },
    [editor],
  );

  const onEdgesChange = useCallback(
    (changes: EdgeChange<ExitEdgeType>[]) => {
      setEdges((previous) =>
        applyEdgeChanges(
          changes.filter(({ type }) => type === 'select'),
          previous,
        ),
      );
      for (const change of changes) {
        if (change.type !== 'select') continue;
        if (change.selected) editor.selectEdge(change.id);
        else if (editor.state.selectedEdge === change.id) editor.selectEdge(undefined);
      }
    },
    [editor],
  );

  return { nodes, edges, onNodesChange, onEdgesChange };
}
