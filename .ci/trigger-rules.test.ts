import { dirname } from 'node:path';
import { expect, test } from 'vitest';
import { findMissingRules, readRuleRows } from './trigger-rules.ts';

const rows = readRuleRows(dirname(import.meta.dirname));
/** As if each named test had passed with some case. */
const allPassed = rows.map(({ file, title }) => ({
  file,
  titles: ['a group', title.replace(/%[sdijfo]|\$\w+/g, 'x')],
}));

test('nothing is missing when every named test passed', () => {
  expect(rows.length).toBeGreaterThan(50);
  expect(findMissingRules(rows, allPassed)).toEqual([]);
});

test('a named test that did not pass is missing, also when one of that name passed in another file', () => {
  const [first] = rows;
  const passed = allPassed.map((each) => ({
    ...each,
    file: each.file === first?.file ? 'other.test.ts' : each.file,
  }));
  expect(findMissingRules(rows, passed)[0]).toBe(
    `No test called "${first?.title}" passed in ${first?.file}.`,
  );
});

test('a rule that is not named is missing', () => {
  const without = rows.filter(({ rule }) => rule !== rows[0]?.rule);
  expect(findMissingRules(without, allPassed)[0]).toMatch(/^Trigger task settings has 1 rules; 0 are named/);
});
