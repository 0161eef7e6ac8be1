import { drawing } from '#lib/editor/canvas/testing/test-documents.ts';
import { toGraph } from '#lib/editor/canvas/document.ts';
import { Editor } from '../editor.ts';
import type { EditorStart } from '../editor-actions.ts';

/** An editor of a trigger, a condition, and a delay on its true branch: tasks 1 to 3, saved as revision 1. */
export const openTestEditor = (more: Partial<EditorStart> = {}): Editor =>
  new Editor({
    id: 'workflow',
    user: { id: 'user', email: 'user@example.com' },
    canEdit: true,
    productionUrl: 'https://example.com/webhook/token',
    verifyToken: 'verify',
    testUrl: 'https://example.com/webhook-test/token',
    graph: { name: 'Workflow', ...toGraph(drawing()) },
    revision: 1,
    nextTaskId: 4,
    publishedVersion: null,
    active: false,
    holdsRuns: false,
    heldRuns: 0,
    maxConcurrentRuns: null,
    calledBy: [],
    publishedGraph: null,
    problems: [],
    changeCount: 0,
    unchecked: [],
    facts: {},
    secrets: [],
    time: { zone: 'UTC', calendars: [] },
    widths: { panelPx: 416, palettePx: 224 },
    isPaletteShown: true,
    sample: undefined,
    pinnedTaskIds: [],
    silence: undefined,
    openTaskId: undefined,
    ...more,
  });
