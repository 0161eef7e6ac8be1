// Real webhooks against a reference that shares no code with this folder: a naive walk for the flattened names and Handlebars
// itself for the paths.
import Handlebars from 'handlebars';
import { describe, expect, test } from 'vitest';
import { parseJsonBytes } from '#lib/core/json/parse-json-bytes.ts';
import { stringifyJson } from '#lib/core/json/stringify-json.ts';
import type { JsonValue } from '#lib/core/json/value.ts';
import { flatten } from './flatten.ts';
import {
  flattenNaively,
  type Leaf,
  leavesOf,
  readFixture,
  readPayloads,
} from '#lib/variables/testing/payloads.ts';
import { evaluate, render, scopeOf } from '#lib/variables/testing/render.ts';
import { listVariables } from './variable-names.ts';

/** GitHub's examples repeat each event in many variations: these many of each are enough. */
const EXAMPLES_PER_EVENT = 2;

function outputOf(text: string): JsonValue {
  return parseJsonBytes(Buffer.from(text));
}

describe.each(readPayloads(EXAMPLES_PER_EVENT))('$name', ({ text }) => {
  const output = outputOf(text);
  const plain = JSON.parse(text) as object;
  const leaves = leavesOf(plain);
  const isUnsafe = ({ value }: Leaf): boolean =>
    typeof value === 'number' && !Number.isSafeInteger(value * 1e4);

  test('the text comes back character by character', () => {
    const compact = text.startsWith('{\n')
      ? text.replace(/"(?:[^"\\]|\\.)*"|\s+/g, (part) => (part[0] === '"' ? part : ''))
      : text;
    expect(stringifyJson(output)).toBe(compact);
  });

  test('flattened names are those of a naive walk, with their values', () => {
    const naive = flattenNaively(plain);
    const flattened = flatten(output);
    expect(new Set(flattened.keys())).toEqual(new Set(naive.keys()));
    for (const [name, value] of flattened) {
      expect(JSON.parse(stringifyJson(value)), name).toEqual(naive.get(name));
    }
  });

  test('.JSON paths render what Handlebars renders', () => {
    const paths = leaves
      .filter((leaf) => !isUnsafe(leaf))
      .map(({ keys }) => `task_5.JSON.${keys.map((key) => `[${key}]`).join('.')}`);
    for (let from = 0; from < paths.length; from += 200) {
      const template = paths
        .slice(from, from + 200)
        .map((path) => `{{${path}}}`)
        .join('\n|');
      const expected = Handlebars.compile(template, { noEscape: true })({ task_5: { JSON: plain } });
      expect(render(template, output)).toBe(expected);
    }
  });

  test('every variable the picker lists is its value, and inside JSON text stays JSON', () => {
    for (const { path, value } of listVariables(5, output))
      expect(evaluate(`{{${path}}}`, output)).toBe(value);
    const [first] = listVariables(5, output);
    const rendered = JSON.parse(
      render(`{"a":{{${first?.path}}},"b":{{task_5.JSON}}}`, output, 'json'),
    ) as unknown;
    expect(rendered).toEqual({ a: Object.values(plain)[0] as unknown, b: plain });
  });
});

describe('what a shop would write', () => {
  const shopify = outputOf(readFixture('shopify-orders-create'));

  test('an 18-digit order id keeps its digits', () => {
    expect(render('{{task_5_id}} {{task_5_customer_id}} {{id}}', shopify)).toBe(
      '820982911946154508 115310627314723954 820982911946154508',
    );
    expect(scopeOf(shopify).resolve('task_5_line_items_1_id')).toMatchObject({
      source: '141249953214522974',
    });
  });

  test('a loop over line items reads like Handlebars', () => {
    const template =
      '{{#each task_5.JSON.line_items}}{{@index}}: {{name}} {{price}}{{#unless @last}}\n{{/unless}}{{/each}}';
    const reference = Handlebars.compile(template, { noEscape: true })({ task_5: { JSON: shopify } });
    expect(render(template, shopify)).toBe(reference);
  });
});
