import { expect, test } from 'vitest';
import { findDraftSizeProblem, findImportSizeProblem } from '#lib/workflows/draft-size.ts';

const MEGABYTE = 1024 * 1024;
const drawing = (text: string) => ({
  tasks: [{ id: 1, type: 'inbound_webhook', name: 'Webhook', settings: { response_body: text } }],
  edges: [],
});

test('counts bytes, not characters, and says how many there are', () => {
  expect(findDraftSizeProblem(drawing('x'.repeat(3.9 * MEGABYTE)))).toBeUndefined();
  expect(findDraftSizeProblem(drawing('x'.repeat(4 * MEGABYTE)))).toMatch(
    /^The workflow has 4\.1 MB, more than the limit of 4 MB/,
  );
  expect(findDraftSizeProblem(drawing('字'.repeat(1.5 * MEGABYTE)))).toMatch(/^The workflow has 4\.6 MB/);
});

test('of files, the same', () => {
  expect(findImportSizeProblem('x'.repeat(5 * MEGABYTE))).toBeUndefined();
  expect(findImportSizeProblem('x'.repeat(5 * MEGABYTE + 1))).toMatch(/^The file has 5\.1 MB/);
});
