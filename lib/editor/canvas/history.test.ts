import fc from 'fast-check';
import { expect, test } from 'vitest';
import { addTask, removeItems, toggleDisabled, updateSettings } from './commands.ts';
import type { CanvasDocument } from './document.ts';
import { type History, record, redo, startHistory, undo } from './history.ts';
import { arrange } from './layout.ts';
import { drawing } from './testing/test-documents.ts';

type Command = (document: CanvasDocument, id: number) => CanvasDocument;

const anyCommand = fc.constantFrom<Command>(
  (document, id) => addTask(document, id, 'delay', { kind: 'after', from: 1, branch: undefined }),
  (document, id) => updateSettings(document, document.tasks.at(-1)?.id ?? 1, { amount: id }),
  (document) => removeItems(document, [document.tasks.at(-1)?.id ?? 0]),
  (document) => toggleDisabled(document, [document.tasks.at(-1)?.id ?? 0]),
  (document) => arrange(document),
);

test('any steps, undone one by one, give back every document on the way, and redone as well', () => {
  fc.assert(
    fc.property(fc.array(anyCommand, { maxLength: 25 }), (commands) => {
      const documents: CanvasDocument[] = [drawing()];
      let history: History = startHistory(documents[0] as CanvasDocument);
      commands.forEach((command, index) => {
        history = record(history, command(history.present, 100 + index), { label: 'Step', at: index });
        if (history.present !== documents.at(-1)) documents.push(history.present);
      });
      for (const document of [...documents].reverse()) {
        expect(history.present).toBe(document);
        history = undo(history);
      }
      expect(undo(history)).toBe(history);
      for (const document of documents.slice(1)) {
        history = redo(history);
        expect(history.present).toBe(document);
      }
      expect(redo(history)).toBe(history);
    }),
    { numRuns: 100 },
  );
});

test('typing in one field is one step, as long as one continues', () => {
  const write = (history: History, amount: string, at: number) =>
    record(history, updateSettings(history.present, 3, { amount }), {
      label: 'Change settings',
      mergeKey: 'settings:3:amount',
      at,
    });
  const start = startHistory(drawing());
  const typed = write(write(write(start, '1', 0), '12', 500), '123', 1400);
  expect(typed.past).toHaveLength(1);
  expect(undo(typed).present).toBe(start.present);
  expect(write(typed, '1234', 9000).past).toHaveLength(2);
});

test('a new step forgets what could have been redone', () => {
  const one = record(startHistory(drawing()), arrange(drawing()), { label: 'Arrange', at: 0 });
  const other = record(undo(one), toggleDisabled(drawing(), [3]), { label: 'Disable', at: 1 });
  expect(other.future).toEqual([]);
});
