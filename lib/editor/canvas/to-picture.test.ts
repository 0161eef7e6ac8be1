import fc from 'fast-check';
import { expect, test } from 'vitest';
import { STARTERS } from '#lib/editor/starters/starters.ts';
import { escapeXml } from '#lib/variables/escape.ts';
import { toDocument } from './document.ts';
import { fitText, textWidth, toPicture, wrapText } from './to-picture.ts';

const count = (svg: string, pattern: RegExp): number => [...svg.matchAll(pattern)].length;

const TAG = /<(\/?)([a-z]+)(?:\s[A-Za-z:-]+="[^"<>]*")*(\/?)>/g;

/** Every tag is closed in its order and every attribute quoted, and there is no unescaped `<` or `&`. */
function assertWellFormed(svg: string): void {
  const open: string[] = [];
  for (const [, closing, name = '', selfClosed] of svg.matchAll(TAG)) {
    if (selfClosed) continue;
    if (closing) expect(open.pop()).toBe(name);
    else open.push(name);
  }
  expect(open).toEqual([]);
  expect(svg.replace(TAG, '')).not.toMatch(/[<>]|&(?!amp;|lt;|gt;|quot;|#39;)/);
}

test.each(STARTERS.map((starter) => [starter.id, starter] as const))(
  '%s: every task, cable and exit is there',
  (_id, { name, graph }) => {
    const svg = toPicture(toDocument({ name, ...graph }));
    assertWellFormed(svg);
    expect(svg.startsWith('<svg xmlns="http://www.w3.org/2000/svg"')).toBe(true);
    for (const task of graph.tasks) expect(svg).toContain(`data-task-id="${task.id}"`);
    expect(count(svg, /<path d="M[^"]*C/g)).toBe(graph.edges.length);
    expect(count(svg, />True</g)).toBe(graph.tasks.filter(({ type }) => type === 'if_condition').length);
    expect(svg).toContain(`>${escapeXml(graph.tasks[0]?.name ?? '')}<`);
    expect(svg).not.toMatch(/href|url\(|<script|<style/);
  },
);

test('the box holds everything, wherever it stands', () => {
  const task = { id: 1, type: 'inbound_webhook', name: 'T', settings: {}, position: { x: -500, y: 300 } };
  const note = { id: 'n', text: 'Far away', position: { x: 900, y: -200 } };
  const svg = toPicture({ name: 'Box', tasks: [task], edges: [], notes: [note] });
  const [, x = 0, y = 0, width = 0, height = 0] = (/viewBox="(\S+) (\S+) (\S+) (\S+)"/.exec(svg) ?? []).map(
    Number,
  );
  expect(x).toBeLessThan(-500);
  expect(y).toBeLessThan(-200);
  expect(x + width).toBeGreaterThan(900 + 224);
  expect(y + height).toBeGreaterThan(300 + 60);
  expect(toPicture({ name: '', tasks: [], edges: [], notes: [] })).toContain('viewBox="-40 -84 80 124"');
});

test('whatever is written, the file is well-formed and its lines fit', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 80 }), (words) => {
      const task = { id: 1, type: 'delay', name: words, settings: {}, disabled: true };
      const note = { id: 'n', text: words, position: { x: 0, y: 100 } };
      assertWellFormed(toPicture({ name: words, tasks: [task], edges: [], notes: [note] }));
      expect(textWidth(fitText(words, 14, 150), 14)).toBeLessThanOrEqual(150);
      for (const line of wrapText(words, 14, 200)) expect(textWidth(line, 14)).toBeLessThanOrEqual(200);
      expect(wrapText(words, 14, 200).join('').replace(/\s/g, '')).toBe(words.replace(/\s/g, ''));
    }),
  );
});

test('words are kept whole, long ones are broken, empty lines stay', () => {
  expect(wrapText('Ask the shop first\n\nthen remind', 14, 105)).toEqual([
    'Ask the shop',
    'first',
    '',
    'then remind',
  ]);
  expect(wrapText('x'.repeat(40), 14, 100).length).toBeGreaterThan(2);
});
