import fc from 'fast-check';
import { expect, test } from 'vitest';
import { RowCounter, toCsvRecord } from './export-format.ts';

/** A reader of RFC 4180, written apart from what it checks. */
function parseCsv(text: string): string[][] {
  const records: string[][] = [];
  let [record, cell, isQuoted]: [string[], string, boolean] = [[], '', false];
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charAt(at);
    if (isQuoted && character === '"' && text.charAt(at + 1) === '"') {
      cell += '"';
      at += 1;
    } else if (character === '"') isQuoted = !isQuoted;
    else if (isQuoted) cell += character;
    else if (character === ',') {
      record.push(cell);
      cell = '';
    } else if (character === '\r' && text.charAt(at + 1) === '\n') {
      records.push([...record, cell]);
      [record, cell] = [[], ''];
      at += 1;
    } else cell += character;
  }
  return records;
}

const tricky = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.string({
    unit: fc.constantFrom('"', ',', '\r', '\n', ';', "'", '=', '+', '-', '@', '\t', ' ', '1', 'é', '👍'),
  }),
);
const isFormula = (text: string): boolean => /^[=+\-@\t\r]/.test(text) && !/^[+-]?\d+(\.\d+)?$/.test(text);

test('what is written is what a reader of RFC 4180 gets; formulas have an apostrophe in front', () => {
  const table = fc.array(fc.array(tricky, { minLength: 2, maxLength: 5 }), { maxLength: 8 });
  fc.assert(
    fc.property(table, (rows) => {
      const read = parseCsv(rows.map(toCsvRecord).join(''));
      expect(read).toEqual(rows.map((row) => row.map((text) => (isFormula(text) ? `'${text}` : text))));
      for (const cell of read.flat()) expect(isFormula(cell)).toBe(false);
    }),
  );
});

test.each([
  ['=1+1', "'=1+1"],
  ['+cmd', "'+cmd"],
  ['-2+3', "'-2+3"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['\t=1', "'\t=1"],
  ['-12.50', '-12.50'],
  ['+491701234567', '+491701234567'],
  ['a=b', 'a=b'],
  ['=HYPERLINK("x","y")', '"\'=HYPERLINK(""x"",""y"")"'],
])('%j becomes %j', (text, cell) => {
  expect(toCsvRecord([text])).toBe(`${cell}\r\n`);
});

test('values that are no texts are written as JSON writes them, nothing as nothing', () => {
  expect(toCsvRecord([1.5, -3, true, null, ''])).toBe('1.5,-3,true,,\r\n');
});

test('rows are counted wherever the file is cut', () => {
  const rows = fc.array(fc.array(tricky, { minLength: 2, maxLength: 2 }), { maxLength: 6 });
  fc.assert(
    fc.property(rows, fc.nat(20), (table, size) => {
      const csv = Buffer.from([['a', 'b'], ...table].map(toCsvRecord).join(''));
      const lines = Buffer.from(table.map((row) => `${JSON.stringify(row)}\n`).join(''));
      for (const [format, bytes] of [
        ['csv', csv],
        ['jsonl', lines],
      ] as const) {
        const counter = new RowCounter(format);
        for (let at = 0; at < bytes.length; at += size + 1) counter.add(bytes.subarray(at, at + size + 1));
        expect(counter.rows).toBe(table.length);
      }
    }),
  );
});
