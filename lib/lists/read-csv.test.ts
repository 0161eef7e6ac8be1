import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { planColumns, toBody } from './plan-columns.ts';
import { findDelimiter, readCsv } from './read-csv.ts';

/** In pieces of this size. */
async function* piecesOf(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.slice(at, at + size);
}

/** A line of a CSV file; values are quoted where they have to be. */
const toCsvLine = (values: readonly string[], delimiter = ','): string =>
  values
    .map((value) => (/[",;\t\r\n]/.test(value) || value === '' ? `"${value.replaceAll('"', '""')}"` : value))
    .join(delimiter);

async function read(text: string | Uint8Array, size = 7) {
  const bytes = typeof text === 'string' ? Buffer.from(text) : text;
  const { columns, rows, close } = await readCsv(piecesOf(bytes, size));
  try {
    return { columns, rows: await Array.fromAsync(rows) };
  } finally {
    await close();
  }
}

describe('a CSV file', () => {
  test.each([
    ['commas', 'name,phone\nAda,15550101001\n'],
    ['semicolons', 'name;phone\r\nAda;15550101001\r\n'],
    ['tabs', 'name\tphone\nAda\t15550101001'],
    ['a byte order mark', '\ufeffname,phone\nAda,15550101001\n'],
    ['empty lines and spaces', 'name , phone\n\n Ada , 15550101001 \n\n'],
    ['empty columns at the end', 'name,phone,,\nAda,15550101001,,\n'],
  ])('may have %s', async (_, text) => {
    const { columns, rows } = await read(text);
    expect(columns).toEqual(['name', 'phone']);
    expect(rows.map(({ values }) => values)).toEqual([['Ada', '15550101001']]);
  });

  test('of any values is read as it was written, whatever the pieces that it arrives in', async () => {
    const value = fc.string({ unit: 'grapheme' }).map((text) => text.replaceAll('\0', '').trim());
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(value, value, value), { minLength: 1, maxLength: 20 }),
        fc.constantFrom(',', ';', '\t'),
        fc.integer({ min: 1, max: 50 }),
        async (table, delimiter, size) => {
          const text = [['a', 'b', 'c'], ...table].map((row) => toCsvLine(row, delimiter)).join('\n');
          const { rows } = await read(text, size);
          const filled = table.filter((row) => row.some((each) => each !== ''));
          expect(rows.map(({ values }) => values)).toEqual(filled);
        },
      ),
      { numRuns: 200 },
    );
  });

  test('says on which line of the file a row begins', async () => {
    const { rows } = await read('name,phone\n"Ada\nLovelace",1\n\nBob,2\n');
    expect(rows.map(({ line }) => line)).toEqual([2, 5]);
  });

  test.each([
    ['', 'The file is empty. Its first line has the names of the columns.'],
    ['name,,phone\nAda,,1', 'Line 1, column 2: the column has no name.'],
    ['name,name\nAda,1', 'Line 1, column 2: another column is called “name”, too.'],
    ['name,phone\nAda,1\nBob,2,3', 'Line 3, column 3: the row has more values than the 2 columns of line 1.'],
    ['name,phone\n"Ada,1\n', 'Line 2'],
    ['name,phone\nA"da",1\n', 'Line 2, column 1: a quotation mark is in the middle of a value.'],
  ])('%j is refused with its line', async (text, message) => {
    await expect(read(text)).rejects.toThrow(message);
  });

  test('in another encoding, or that is no text, is refused with a way out', async () => {
    await expect(read(Buffer.from('name,phone\nM\xfcller,1\n', 'latin1'))).rejects.toThrow('CSV UTF-8');
    await expect(read(Buffer.from('PK\u0003\u0004\u0000\u0000'))).rejects.toThrow('not text');
  });

  test('the delimiter is what separates the names outside of quotes', () => {
    expect(findDelimiter('"a;b;c",d\n1;2;3')).toBe(',');
    expect(findDelimiter('phone')).toBe(',');
  });
});

describe('columns', () => {
  const columns = ['Full name', 'Größe', 'Mobile', 'full-name'];
  test('become fields of their own names, and the number is recognized', () => {
    expect(planColumns(columns, [])).toEqual({
      recipient: 'Mobile',
      default_country: null,
      variables: { full_name: 'Full name', große: 'Größe', mobile: 'Mobile', full_name_2: 'full-name' },
    });
    expect(planColumns(['a', 'b'], [['x', '+1 555 010 1001']]).recipient).toBe('b');
    expect(() => planColumns(['a'], [], { recipient: 'z' })).toThrow('no column “z”');
  });

  test('a dot makes an object', () => {
    const mapping = {
      recipient: 'p',
      default_country: null,
      variables: { 'customer.phone': 'p', 'customer.name': 'n' },
    };
    expect(toBody(mapping, ['n', 'p'], ['Ada', '1'])).toEqual({ customer: { phone: '1', name: 'Ada' } });
  });
});
