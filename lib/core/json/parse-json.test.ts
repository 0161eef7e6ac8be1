import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { measureCpuMs } from '#lib/testing/cpu-time.ts';
import { findInvalidUtf8, parseJsonBytes } from './parse-json-bytes.ts';
import { JsonSyntaxError, JsonProblem, readJson } from './read-json.ts';
import { MAX_JSON_DEPTH, parseJson } from './parse-json.ts';
import { stringifyJson } from './stringify-json.ts';
import { NumberLiteral } from './value.ts';

function errorOf(text: string | Uint8Array): JsonSyntaxError {
  try {
    if (typeof text === 'string') parseJson(text);
    else parseJsonBytes(text);
  } catch (error) {
    if (error instanceof JsonSyntaxError) return error;
    throw error;
  }
  throw new Error('was taken as JSON');
}

const digits = fc.stringMatching(/^-?(0|[1-9]\d{0,24})(\.\d{1,24})?([eE][+-]?\d{1,3})?$/);

/** JSON text with numbers in every notation: parsing and writing it must return the same text. */
const numberTexts = fc.letrec<{ value: string }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    digits,
    fc.constantFrom('null', 'true', '"x"', '"1.10, 2e5"'),
    fc.array(tie('value'), { maxLength: 4 }).map((items) => `[${items.join(',')}]`),
    fc
      .uniqueArray(fc.tuple(fc.constantFrom('a', 'b', '__proto__', 'toJSON'), tie('value')), {
        selector: ([key]) => key,
      })
      .map((entries) => `{${entries.map(([key, value]) => `"${key}":${value}`).join(',')}}`),
  ),
})).value;

describe('docs/variables.md: numbers keep their digits', () => {
  test('every number a JavaScript number would change is a NumberLiteral', () => {
    const sources = [
      '12345678901234567890',
      '1.10',
      '1e5',
      '1E5',
      '-0',
      '-0.0',
      '0.0000001',
      '1.0',
      '9007199254740993',
    ];
    for (const source of sources) {
      expect(parseJson(source)).toEqual(new NumberLiteral(source));
      expect(parseJson(`{"a":[1, ${source}]}`)).toEqual({ a: [1, new NumberLiteral(source)] });
    }
  });

  test('other numbers are plain numbers', () => {
    expect(parseJson('{"a":[0,-1,184.35,123456789012345,0.1]}')).toEqual({
      a: [0, -1, 184.35, 123456789012345, 0.1],
    });
  });

  test('property: a text of any numbers comes back character by character', () => {
    fc.assert(
      fc.property(numberTexts, (text) => {
        expect(stringifyJson(parseJson(text))).toBe(text);
      }),
      { numRuns: 500 },
    );
  });

  test('property: without such numbers parsing is JSON.parse', () => {
    fc.assert(
      fc.property(fc.json({ depthSize: 'medium' }), (text) => {
        expect(stringifyJson(parseJson(text))).toBe(JSON.stringify(JSON.parse(text)));
      }),
    );
  });
});

describe('what is kept of the text', () => {
  test('__proto__ is an own property, with and without numbers to keep', () => {
    for (const number of ['1', '1.10']) {
      const value = parseJson(`{"__proto__":{"x":${number}}}`);
      expect(Object.keys(value as object)).toEqual(['__proto__']);
      expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
      expect(stringifyJson(value)).toBe(`{"__proto__":{"x":${number}}}`);
    }
  });

  test('lone surrogates are written as escapes', () => {
    expect(stringifyJson(parseJson('"\\ud800"'))).toBe('"\\ud800"');
  });

  test('one byte order mark is skipped, a second is an error', () => {
    expect(parseJsonBytes(Buffer.from('\uFEFF{"a":"é"}'))).toEqual({ a: 'é' });
    expect(parseJson('\uFEFF1')).toBe(1);
    expect(errorOf('\uFEFF\uFEFF1').column).toBe(1);
  });
});

describe('docs/webhooks.md: what is not JSON is refused, saying where', () => {
  test.each([
    [
      '{"a":1,\n "b":2,\n    }',
      3,
      5,
      'Unexpected "}" at line 3, column 5: a property name in double quotes was expected',
    ],
    ['{"a":}', 1, 6, 'Unexpected "}" at line 1, column 6: a value was expected'],
    ['[1,2', 1, 5, 'Unexpected end at line 1, column 5: "," or "]" was expected'],
    ['{"a" 1}', 1, 6, 'Unexpected "1" at line 1, column 6: ":" was expected'],
    [
      "{'a':1}",
      1,
      2,
      `Unexpected "'" at line 1, column 2: a property name in double quotes or "}" was expected`,
    ],
    ['', 1, 1, 'Unexpected end at line 1, column 1: a value was expected'],
    ['[1] x', 1, 5, 'Unexpected "x" at line 1, column 5: the end of the text was expected'],
    ['"a\nb"', 1, 3, 'a control character inside a string must be escaped'],
    ['["\\x"]', 1, 4, 'after a backslash only'],
    ['[-]', 1, 3, 'a digit was expected'],
    ['{"a":"b', 1, 8, 'the string is not closed'],
    ['["a""b"]', 1, 5, 'Unexpected double quote'],
  ])('%j', (text, line, column, message) => {
    const error = errorOf(text);
    expect(error).toMatchObject({ line, column });
    expect(error.message).toContain(message);
  });

  test('property: the reader agrees with JSON.parse about mutated texts and their values', () => {
    const mutated = fc
      .tuple(
        fc.json(),
        fc.nat(),
        fc.constantFrom('', '"', ',', ':', '{', ']', '\\', '0', '-', '.', 'e', '\n', 'x'),
        fc.nat(2),
      )
      .map(([text, at, inserted, removed]) => {
        const place = at % (text.length + 1);
        return text.slice(0, place) + inserted + text.slice(place + removed);
      });
    const valueOf = (read: () => unknown): unknown => {
      try {
        return read();
      } catch (error) {
        if (error instanceof JsonProblem || error instanceof SyntaxError) return 'not JSON';
        throw error;
      }
    };
    fc.assert(
      fc.property(fc.oneof(mutated, numberTexts), (text) => {
        const ours = valueOf(() => JSON.parse(stringifyJson(readJson(text, Infinity))));
        expect(ours).toEqual(valueOf(() => JSON.parse(text)));
      }),
      { numRuns: 2_000 },
    );
  });

  test('property: up to the place the text could continue to be JSON', () => {
    const broken = fc
      .tuple(
        fc.json(),
        fc.nat(),
        fc.constantFrom('"', ',', ':', '{', ']', '\\', '0', '-', '.', 'e', '\n', 'x'),
      )
      .map(([text, at, inserted]) => {
        const place = at % (text.length + 1);
        return text.slice(0, place) + inserted + text.slice(place);
      });
    const placeOf = (text: string): number | null => {
      try {
        readJson(text, Infinity);
        return null;
      } catch (problem) {
        return (problem as JsonProblem).offset;
      }
    };
    fc.assert(
      fc.property(broken, (text) => {
        const place = placeOf(text);
        if (place === null) return;
        // Without the text after the position, only the end is missing.
        expect(placeOf(text.slice(0, place)) ?? place).toBe(place);
        expect(placeOf(text.slice(0, place + 1))).toBe(place);
      }),
      { numRuns: 2_000 },
    );
  });

  test.each([
    ['[1.2.3]', 5, '"," or "]" was expected'],
    ['[1e5.5]', 5, '"," or "]" was expected'],
    ['[1e5e5]', 5, '"," or "]" was expected'],
    ['[1.e5]', 4, 'a digit was expected'],
    ['[1e+]', 5, 'a digit was expected'],
    ['[-01]', 4, '"," or "]" was expected'],
  ])('the place in the broken number %s', (text, column, expected) => {
    expect(errorOf(text)).toMatchObject({ column });
    expect(errorOf(text).message).toContain(expected);
  });

  test.each([
    ['many small values and a number to keep', '{"a":1.10,"b":[', '1,', '1]}'],
    ['many numbers to keep', '{"b":[', '1.0,', '1]}'],
    ['many containers, wrong at the end', '{"b":[', '{},', 'x'],
    ['many lines, wrong at the end', '{', '\n', 'x'],
    ['spaces that look like the start of a number', '{"b":"', ':          ', '"}'],
  ])('10 MB of %s take seconds, not a minute', (_what, start, part, end) => {
    const text = start + part.repeat((10 * 1024 * 1024) / part.length) + end;
    const cpuMs = measureCpuMs(() => {
      try {
        parseJson(text);
      } catch (error) {
        expect(error).toBeInstanceOf(JsonSyntaxError);
      }
    });
    expect(cpuMs).toBeLessThan(5_000);
  });

  test(`${MAX_JSON_DEPTH} levels are taken, one more is refused with its place`, () => {
    const nest = (levels: number): string => '[{"a":'.repeat(levels / 2) + '1.10' + '}]'.repeat(levels / 2);
    expect(stringifyJson(parseJson(nest(200)))).toBe(nest(200));
    expect(errorOf(nest(202))).toMatchObject({ line: 1, column: 601 });
    expect(errorOf(nest(202)).message).toContain('nested deeper than 200 levels');
    expect(errorOf('['.repeat(3_000_000)).column).toBe(201);
  });

  test('brackets in strings and side by side are not nesting', () => {
    const wide = `[${'{"a":"[[[{{\\""},'.repeat(500)}[]]`;
    expect(parseJson(wide)).toHaveLength(501);
  });

  test('bytes that are not UTF-8 are refused with the byte', () => {
    const error = errorOf(Buffer.concat([Buffer.from('{"a":\n"é'), Buffer.from([0xe9, 0x22])]));
    expect(error).toMatchObject({ line: 2, column: 3 });
    expect(error.message).toContain('Byte 9 (0xe9)');
  });

  test('property: the first bad byte is where a strict decoder stops', () => {
    const decodes = (bytes: Uint8Array): boolean => {
      try {
        new TextDecoder('utf-8', { fatal: true }).decode(bytes);
        return true;
      } catch {
        return false;
      }
    };
    const bytes = fc.array(
      fc.oneof(fc.constantFrom(0x41, 0xc3, 0xa9, 0xe0, 0xed, 0xf0, 0xf4, 0x9f, 0x80, 0xbf), fc.nat(255)),
    );
    fc.assert(
      fc.property(bytes, (values) => {
        const input = Uint8Array.from(values);
        const index = findInvalidUtf8(input);
        expect(index === -1).toBe(decodes(input));
        if (index > 0) expect(decodes(input.subarray(0, index))).toBe(true);
      }),
      { numRuns: 1_000 },
    );
  });
});
