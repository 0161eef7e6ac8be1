import { expect, test } from 'vitest';
import { addNote } from './commands.ts';
import { freeNotePlace } from './place.ts';
import { NOTE_SIZE_PX, taskSize } from './task-size.ts';
import { drawing } from './testing/test-documents.ts';

test('notes that are added at one spot cover neither each other nor a task', () => {
  let document = drawing();
  const [first] = document.tasks;
  const wanted = first?.position ?? { x: 0, y: 0 };
  for (let number = 0; number < 12; number += 1) {
    const position = freeNotePlace(document, wanted);
    document = addNote(document, { id: String(number), text: '', position });
  }
  const boxes = [
    ...document.notes.map(({ position }) => ({ ...position, ...NOTE_SIZE_PX })),
    ...document.tasks.flatMap((task) => (task.position ? [{ ...task.position, ...taskSize(task) }] : [])),
  ];
  const overlapping = boxes.flatMap((a, index) =>
    boxes
      .slice(index + 1)
      .filter(
        (b) => a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height,
      ),
  );
  expect(overlapping).toEqual([]);
});
