import { beforeEach, describe, expect, test, vi } from 'vitest';
import { type Spot, updateSettings } from '#lib/editor/canvas/commands.ts';
import { edgeKey } from '#lib/engine/graph.ts';
import type { Editor } from './editor.ts';
import { taskNodeId } from './node-ids.ts';
import { openTestEditor } from './testing/test-editor.ts';

// Called after a new task is added to the screen: nothing is rendered here.
beforeEach(() => void vi.stubGlobal('requestAnimationFrame', () => 0));

const AFTER_DELAY: Spot = { kind: 'after', from: 3, branch: undefined };
const ids = (editor: Editor) => editor.document.tasks.map(({ id }) => id);
const edges = (editor: Editor) => editor.document.edges.map(({ from, to, branch }) => [from, to, branch]);
const refusals = (editor: Editor): string[] => {
  const messages: string[] = [];
  editor.onRefusal = (message) => messages.push(message);
  return messages;
};

describe('tasks', () => {
  test('a new task gets the next id, is connected, opened and selected; its id is never given again', () => {
    const editor = openTestEditor();
    editor.addTask('delay', AFTER_DELAY);
    expect(ids(editor)).toEqual([1, 2, 3, 4]);
    expect(edges(editor)).toContainEqual([3, 4, undefined]);
    expect(editor.state).toMatchObject({ openTaskId: 4, nextTaskId: 5 });
    expect(editor.selectedTaskId).toBe(4);
    editor.undo();
    expect(ids(editor)).toEqual([1, 2, 3]);
    expect(editor.state).toMatchObject({ openTaskId: undefined, nextTaskId: 5 });
    expect(editor.state.selection.size).toBe(0);
    editor.addTask('delay', AFTER_DELAY);
    expect(ids(editor)).toEqual([1, 2, 3, 5]);
  });

  test('the trigger cannot be deleted, and the rest of the selection is', () => {
    const editor = openTestEditor();
    const refused = refusals(editor);
    editor.selectAll();
    editor.removeSelected();
    expect(ids(editor)).toEqual([1]);
    expect(edges(editor)).toEqual([]);
    expect(refused).toEqual(['The trigger cannot be deleted: every workflow needs one.']);
    editor.undo();
    expect(ids(editor)).toEqual([1, 2, 3]);
    expect(edges(editor)).toHaveLength(2);
  });

  test('a name without words and the same name change nothing', () => {
    const editor = openTestEditor();
    for (const name of ['  ', 'delay 3']) editor.rename(3, name);
    expect(editor.state.history.past).toHaveLength(0);
    editor.rename(3, '  Wait ');
    expect(editor.document.tasks[2]?.name).toBe('Wait');
  });
});

describe('the trigger', () => {
  test('becomes another one in one step; its settings return with it', async () => {
    const editor = openTestEditor();
    const before = editor.document;
    editor.run('Change settings', (document) =>
      updateSettings(document, 1, { response_body: 'ok', order_by: 'a' }),
    );
    await editor.changeTrigger('message_trigger');
    expect(editor.document.tasks[0]).toMatchObject({
      id: 1,
      type: 'message_trigger',
      settings: { order_by: 'a' },
    });
    expect(editor.document.edges).toEqual(before.edges);
    editor.undo();
    expect(editor.document.tasks[0]).toMatchObject({
      type: 'inbound_webhook',
      settings: { response_body: 'ok' },
    });
    editor.redo();
    await editor.changeTrigger('inbound_webhook');
    expect(editor.document.tasks[0]).toMatchObject({
      type: 'inbound_webhook',
      settings: { response_body: 'ok', order_by: 'a' },
    });
    const steps = editor.state.history.past.length;
    await editor.changeTrigger('inbound_webhook');
    await editor.changeTrigger('gone');
    expect(editor.state.history.past).toHaveLength(steps);
  });
});

describe('edges', () => {
  test('what cannot be connected is refused with its reason, and changes nothing', () => {
    const editor = openTestEditor();
    const refused = refusals(editor);
    expect(editor.connect(3, 1, undefined)).toBe(false);
    expect(editor.connect(3, 2, undefined)).toBe(false);
    expect(refused).toEqual([expect.stringMatching(/trigger/)]);
    expect(editor.state.history.past).toHaveLength(0);
    expect(editor.connect(2, 3, 'false')).toBe(true);
    expect(edges(editor)).toContainEqual([2, 3, 'false']);
  });

  test('an edge back is offered as a loop: cancelled, nothing changes; accepted, it is one step', () => {
    const editor = openTestEditor();
    expect(editor.connect(3, 2, undefined)).toBe(false);
    const { repeatOffer } = editor.state;
    expect(repeatOffer).toMatchObject({ kind: 'around', inside: [2, 3] });
    expect(editor.state.history.past).toHaveLength(0);
    const { nextTaskId } = editor.state;
    if (repeatOffer) editor.acceptRepeat(repeatOffer);
    expect(editor.state).toMatchObject({
      repeatOffer: undefined,
      openTaskId: nextTaskId,
      nextTaskId: nextTaskId + 1,
    });
    expect(editor.document.edges).toContainEqual({ from: nextTaskId, to: 2, branch: 'each' });
    editor.undo();
    expect(ids(editor)).toEqual([1, 2, 3]);
    expect(editor.state.history.past).toHaveLength(0);
  });

  test('a selected edge is removed alone', () => {
    const editor = openTestEditor();
    editor.select([taskNodeId(3)]);
    editor.selectEdge(edgeKey({ from: 1, to: 2 }));
    expect(editor.state.selection.size).toBe(0);
    editor.removeSelected();
    expect(ids(editor)).toEqual([1, 2, 3]);
    expect(edges(editor)).toEqual([[2, 3, 'true']]);
    expect(editor.state.selectedEdge).toBeUndefined();
  });
});

describe('copies', () => {
  test('a duplicate has new ids, its own edges, lies beside, and is selected', () => {
    const editor = openTestEditor();
    editor.select([taskNodeId(2), taskNodeId(3)]);
    editor.duplicateSelected();
    expect(ids(editor)).toEqual([1, 2, 3, 4, 5]);
    expect(edges(editor)).toContainEqual([4, 5, 'true']);
    expect([...editor.state.selection].sort()).toEqual([taskNodeId(4), taskNodeId(5)]);
    expect(editor.document.tasks[3]?.position).not.toEqual(editor.document.tasks[1]?.position);
    expect(editor.state.nextTaskId).toBe(6);
  });

  test('the trigger alone cannot be duplicated', () => {
    const editor = openTestEditor();
    const refused = refusals(editor);
    editor.select([taskNodeId(1)]);
    editor.duplicateSelected();
    expect(refused).toHaveLength(1);
    expect(ids(editor)).toEqual([1, 2, 3]);
  });
});

test('twenty changes are undone and done again one by one', () => {
  const editor = openTestEditor();
  const documents = [editor.document];
  for (let step = 0; step < 20; step += 1) {
    editor.rename(3, `Name ${step}`);
    documents.push(editor.document);
  }
  for (let step = 19; step >= 0; step -= 1) {
    editor.undo();
    expect(editor.document).toBe(documents[step]);
  }
  for (let step = 1; step <= 20; step += 1) {
    editor.redo();
    expect(editor.document).toBe(documents[step]);
  }
});

test('who may not edit changes nothing', () => {
  const editor = openTestEditor({ canEdit: false });
  const before = editor.document;
  editor.addTask('delay', AFTER_DELAY);
  editor.rename(3, 'Wait');
  editor.selectAll();
  editor.removeSelected();
  editor.duplicateSelected();
  editor.undo();
  expect(editor.document).toBe(before);
  expect(editor.state.nextTaskId).toBe(4);
});

test('another draft replaces this one: its history starts over, and what is gone from it is neither open nor selected', () => {
  const editor = openTestEditor();
  editor.addTask('delay', AFTER_DELAY);
  editor.adopt({
    graph: {
      name: 'Theirs',
      tasks: [{ id: 1, type: 'inbound_webhook', name: 'Hook', settings: {} }],
      edges: [],
    },
    revision: 7,
    nextTaskId: 9,
  });
  expect(editor.state).toMatchObject({
    openTaskId: undefined,
    revision: 7,
    nextTaskId: 9,
    save: { kind: 'saved' },
  });
  expect(editor.state.selection.size).toBe(0);
  editor.undo();
  expect(editor.document.name).toBe('Theirs');
});
