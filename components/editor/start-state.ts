import { findTask, toDocument } from '#lib/editor/canvas/document.ts';
import { startHistory } from '#lib/editor/canvas/history.ts';
import type { EditorStart } from './editor-actions.ts';
import type { EditorState } from './editor-state.ts';
import { taskNodeId } from './node-ids.ts';

/** Initial state of an editor. */
export function startState(start: EditorStart): EditorState {
  const document = toDocument(start.graph);
  const openTask = start.openTaskId === undefined ? undefined : findTask(document, start.openTaskId);
  return {
    history: startHistory(document),
    nextTaskId: start.nextTaskId,
    revision: start.revision,
    save: { kind: 'saved' },
    isKept: false,
    offered: undefined,
    live: {
      publishedVersion: start.publishedVersion,
      active: start.active,
      holdsRuns: start.holdsRuns,
      heldRuns: start.heldRuns,
      maxConcurrentRuns: start.maxConcurrentRuns,
      calledBy: start.calledBy,
      publishedGraph: start.publishedGraph,
    },
    selection: new Set(openTask ? [taskNodeId(openTask.id)] : []),
    revealCount: 0,
    selectedEdge: undefined,
    openTaskId: openTask?.id,
    shownField: undefined,
    freshTaskId: undefined,
    renamingId: undefined,
    pickingFor: undefined,
    connectingFrom: undefined,
    repeatOffer: undefined,
    dialog: null,
    isJustPublished: false,
    draftRun: undefined,
    pinned: new Set(start.pinnedTaskIds),
    problems: start.problems,
    changeCount: start.changeCount,
    unchecked: start.unchecked,
    facts: start.facts,
    secrets: start.secrets,
    time: start.time,
    widths: start.widths,
    isPaletteShown: start.isPaletteShown,
    sample: start.sample,
    triedOutputs: {},
  };
}
