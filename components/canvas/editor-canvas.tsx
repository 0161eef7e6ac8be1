'use client';
import {
  Background,
  type Connection,
  Controls,
  type FinalConnectionState,
  MiniMap,
  Panel,
  ReactFlow,
  useReactFlow,
} from '@xyflow/react';
import '@xyflow/react/dist/base.css';
import {
  type DragEvent,
  type ReactNode,
  type RefObject,
  startTransition,
  useCallback,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { useEditor } from '#components/editor/editor-context.tsx';
import type { Editor } from '#components/editor/editor.ts';
import { isTyping } from '#components/editor/focus.ts';
import { noteIdOf, taskIdOf } from '#components/editor/node-ids.ts';
import { CANVAS_ID } from '#components/shell/shell-frame.tsx';
import { later, untilIdle } from '#components/ui/later.ts';
import { moveItems } from '#lib/editor/canvas/commands.ts';
import type { Point } from '#lib/editor/canvas/document.ts';
import { TASK_HEADER_PX, TASK_WIDTH_PX } from '#lib/editor/canvas/task-size.ts';
import { parseEdgeKey } from '#lib/engine/graph.ts';
import { CanvasMode } from './canvas-mode.ts';
import './canvas.css';
import { firstView, useFitBesideRun, WHOLE_DRAWING } from './fit-options.ts';
import { EDGE_TYPES, MAX_ZOOM, MIN_ZOOM, NODE_TYPES } from './flow-parts.tsx';
import { DRAGGED_OFFER } from './task-palette.tsx';
import { branchOf, type ExitEdgeType, type FlowNode } from './to-flow.ts';
import { useEditorKeys } from './use-editor-keys.ts';
import { useFlow } from './use-flow.ts';
import { useReveal } from './use-reveal.ts';

/** The editor's canvas. Everything can be done with the mouse or with the keyboard. */
export function EditorCanvas({ overlay }: { overlay: ReactNode }) {
  const editor = useEditor();
  const area = useRef<HTMLElement>(null);
  const flow = useReactFlow<FlowNode, ExitEdgeType>();
  const { nodes, edges, onNodesChange, onEdgesChange } = useFlow();
  useEditorKeys(area);
  useClipboard(area);
  useFitBesideRun(area);
  const reveal = useReveal(area);
  // Visible parts are rendered first; the rest follows without blocking.
  const [isWhole, setWhole] = useState(false);

  const onConnect = useCallback(
    ({ source, target, sourceHandle }: Connection) => {
      editor.connect(taskIdOf(source) ?? 0, taskIdOf(target) ?? 0, branchOf(sourceHandle));
    },
    [editor],
  );

  const onConnectEnd = useCallback(
    (_event: MouseEvent | TouchEvent, { fromHandle, fromNode, toNode }: FinalConnectionState) => {
      if (toNode || fromHandle?.type !== 'source' || !fromNode) return;
      const from = taskIdOf(fromNode.id);
      if (from === undefined) return;
      editor.store.set({ pickingFor: { kind: 'after', from, branch: branchOf(fromHandle.id) } });
    },
    [editor],
  );

  const onDrop = (event: DragEvent) => {
    const offerId = event.dataTransfer.getData(DRAGGED_OFFER);
    if (offerId === '') return;
    event.preventDefault();
    const edge = (event.target as Element).closest<HTMLElement>('.react-flow__edge');
    if (edge?.dataset['id'] !== undefined) {
      editor.addTask(offerId, { kind: 'between', edge: parseEdgeKey(edge.dataset['id']) });
      return;
    }
    const { x, y } = flow.screenToFlowPosition({ x: event.clientX, y: event.clientY });
    const at = { x: Math.round(x - TASK_WIDTH_PX / 2), y: Math.round(y - TASK_HEADER_PX / 2) };
    editor.addTask(offerId, { kind: 'free', at });
  };

  return (
    <CanvasMode value={editor}>
      <section
        ref={area}
        id={CANVAS_ID}
        tabIndex={-1}
        aria-label="Canvas. Press the question mark for keyboard shortcuts."
        className="relative min-w-0 flex-1 focus:outline-none"
        onDragOver={(event) => {
          if (event.dataTransfer.types.includes(DRAGGED_OFFER)) event.preventDefault();
        }}
        onDrop={onDrop}
      >
        <ReactFlow
          nodes={nodes}
          edges={edges}
          nodeTypes={NODE_TYPES}
          edgeTypes={EDGE_TYPES}
          onNodesChange={onNodesChange}
          onEdgesChange={onEdgesChange}
          onConnect={onConnect}
          onConnectEnd={onConnectEnd}
          {...useStableHandlers(editor)}
          nodesDraggable={editor.canEdit}
          nodesConnectable={editor.canEdit}
          nodesFocusable={false}
          edgesFocusable={false}
          disableKeyboardA11y
          deleteKeyCode={null}
          zoomOnDoubleClick={false}
          // A wheel or two fingers pan the canvas, with Ctrl (which a pinch sends) they zoom.
          panOnScroll
          connectionRadius={28}
          elevateNodesOnSelect={false}
          onlyRenderVisibleElements={!isWhole}
          onInit={() => {
            const { clientWidth: width, clientHeight: height } = area.current ?? document.documentElement;
            void flow
              .setViewport(firstView(editor.document, { width, height }))
              .then(reveal)
              .then(untilIdle)
              .then(() => startTransition(() => setWhole(true)));
          }}
          minZoom={MIN_ZOOM}
          maxZoom={MAX_ZOOM}
        >
          <Background gap={24} size={1.5} />
          <Controls showInteractive={false} fitViewOptions={WHOLE_DRAWING} position="bottom-left" />
          <MiniMap
            pannable
            zoomable
            position="bottom-right"
            className="!hidden lg:!block"
            ariaLabel="Minimap"
          />
          {editor.canEdit && (
            <Panel position="top-left" className="!m-3">
              {overlay}
            </Panel>
          )}
        </ReactFlow>
      </section>
    </CanvasMode>
  );
}

/** Stable functions: with new ones React Flow renders every card again. */
const useStableHandlers = (editor: Editor) =>
  useMemo(
    () => ({
      onNodeDragStop: (_event: unknown, _node: FlowNode, dragged: FlowNode[]) => commitMove(editor, dragged),
      onSelectionDragStop: (_event: unknown, dragged: FlowNode[]) => commitMove(editor, dragged),
      onNodeClick: (event: Pick<MouseEvent, 'shiftKey' | 'ctrlKey' | 'metaKey'>, node: FlowNode) => {
        const id = taskIdOf(node.id);
        if (id !== undefined && !event.shiftKey && !event.ctrlKey && !event.metaKey) editor.openTask(id);
      },
      onNodeDoubleClick: (_event: unknown, { id }: FlowNode) => {
        if (editor.canEdit) editor.store.set({ renamingId: taskIdOf(id) });
      },
      onPaneClick: () => {
        editor.select([]);
        editor.closeTask();
      },
    }),
    [editor],
  );

function commitMove(editor: Editor, dragged: readonly FlowNode[]): void {
  const tasks = new Map<number, Point>();
  const notes = new Map<string, Point>();
  for (const { id, position } of dragged) {
    const rounded = { x: Math.round(position.x), y: Math.round(position.y) };
    const taskId = taskIdOf(id);
    if (taskId === undefined) notes.set(noteIdOf(id) ?? '', rounded);
    else tasks.set(taskId, rounded);
  }
  editor.run('Move', (document) => moveItems(document, tasks, notes));
}

const loadReader = later(() => import('#lib/editor/canvas/read-fragment.ts'));

/** Copy, cut and paste of tasks through the system's clipboard, also between workflows and windows. */
function useClipboard(area: RefObject<HTMLElement | null>): void {
  const editor = useEditor();
  useEffect(() => {
    const isOurs = (event: ClipboardEvent) => {
      const focused = document.activeElement;
      const isHere = focused === document.body || area.current?.contains(focused) === true;
      return isHere && !isTyping(focused) && !isTyping(event.target);
    };
    const copy = (event: ClipboardEvent): boolean => {
      const hasText = document.getSelection()?.toString() !== '';
      const fragment = isOurs(event) && !hasText ? editor.copySelected() : undefined;
      if (!fragment) return false;
      event.clipboardData?.setData('text/plain', JSON.stringify(fragment));
      event.preventDefault();
      return true;
    };
    const onCopy = (event: ClipboardEvent) => void copy(event);
    const onCut = (event: ClipboardEvent) => {
      if (editor.canEdit && copy(event)) editor.removeSelected();
    };
    const onPaste = (event: ClipboardEvent) => {
      if (!isOurs(event)) return;
      const text = event.clipboardData?.getData('text/plain') ?? '';
      if (!text.includes('"patchbay"')) return;
      event.preventDefault();
      const paste = ({ readFragment }: Awaited<ReturnType<typeof loadReader>>) => {
        const fragment = readFragment(text);
        if (fragment) editor.paste(fragment);
        else editor.onRefusal('The clipboard does not hold complete Patchbay tasks. Copy them again.');
      };
      loadReader().then(paste, (error: Error) => editor.onRefusal(error.message));
    };
    document.addEventListener('copy', onCopy);
    document.addEventListener('cut', onCut);
    document.addEventListener('paste', onPaste);
    return () => {
      document.removeEventListener('copy', onCopy);
      document.removeEventListener('cut', onCut);
      document.removeEventListener('paste', onPaste);
    };
  }, [area, editor]);
}
