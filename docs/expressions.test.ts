// docs/reference/expressions.md, evaluated by the module that runs them.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parseJson } from '#lib/core/json/parse-json.ts';
import type { Escape } from '#lib/variables/escape.ts';
import { HELPERS } from '#lib/variables/helpers.ts';
import { renderText } from '#lib/variables/interpret.ts';
import { parseVariableText } from '#lib/variables/parse.ts';
import { createScope } from '#lib/variables/scope.ts';

const page = readFileSync(join(import.meta.dirname, 'reference', 'expressions.md'), 'utf8');
const event = parseJson(/```json\n([^]+?)```/.exec(page)?.[1] ?? '');
const PLACES: Readonly<Record<string, Escape>> = { JSON: 'json', XML: 'xml', URL: 'url' };

const rows = [...page.matchAll(/^\| `(.+?)` \|(?: (\w+) \|)? `(.*?)`? \|$/gm)].map(
  ([, text = '', place = '', result = '']) => ({ text, place, result }),
);

const render = (text: string, place: Escape): string =>
  renderText(
    parseVariableText(text),
    createScope({
      tasks: (id) =>
        id === 1
          ? { output: event, run: true, run_text: 'Done', headers: { 'x-shop': 'harbour' } }
          : undefined,
      now: () => new Date('2026-11-20T09:15:27.412Z'),
      zone: 'America/New_York',
    }),
    place,
  );

test.each(rows)('$text $place', ({ text, place, result }) => {
  expect(render(text, PLACES[place] ?? 'none')).toBe(result.replace(/^`$/, ''));
});

test('every row is read, and every helper has one', () => {
  const tableRows = page.split('\n').filter((line) => line.startsWith('| `'));
  expect(rows).toHaveLength(tableRows.length);
  const missing = HELPERS.filter(({ name }) => !rows.some(({ text }) => text.includes(`{{${name} `)));
  expect(missing.map(({ name }) => name)).toEqual([]);
});
