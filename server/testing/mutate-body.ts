// Real bodies with byte-level mutations, and an oracle for them that shares no code with lib/core/json.
import fc from 'fast-check';
import type { JsonOutcome } from './json-cases.ts';

interface Step {
  operation: (typeof OPERATIONS)[number];
  /** Its position, as a share of the body's length. */
  at: number;
  /** Number of affected bytes. */
  length: number;
  token: string;
  byte: number;
  /** Index of the other body, for a splice. */
  other: number;
}

const OPERATIONS = [
  'flip',
  'set',
  'delete',
  'insert',
  'duplicate',
  'truncate',
  'splice',
  'value',
  'nest',
] as const;
const TOKENS = [
  '"',
  '\\',
  '{',
  '}',
  '[',
  ']',
  ':',
  ',',
  ' ',
  '\n',
  '\t',
  '\0',
  '0',
  '-',
  '.',
  'e9',
  '1.10',
  '-0',
  '1e999',
  'null',
  'true',
  '"__proto__":{},',
  '{{a}}',
  '\\u0000',
  '\\ud800',
  '\ufeff',
  '\u2028',
  'é',
  '😀',
  '12345678901234567890',
  '/*',
  '//',
  'NaN',
];

const step: fc.Arbitrary<Step> = fc.record({
  operation: fc.constantFrom(...OPERATIONS),
  // Not fc.double: almost all of its numbers between 0 and 1 are next to 0.
  at: fc.nat(100_000).map((part) => part / 100_000),
  length: fc.oneof(fc.nat(8), fc.nat(400)),
  token: fc.constantFrom(...TOKENS),
  byte: fc.oneof(fc.nat(255), fc.constantFrom(0x00, 0x1f, 0x22, 0x5c, 0x7f, 0x80, 0xc0, 0xed, 0xf4, 0xff)),
  other: fc.nat(10_000),
});

/** One of the bodies after one to three mutations, which are reported on failure. */
export function mutatedBody(bodies: readonly Buffer[]): fc.Arbitrary<{ body: Buffer }> {
  return fc
    .tuple(fc.nat(bodies.length - 1), fc.array(step, { minLength: 1, maxLength: 3 }))
    .map(([index, steps]) => ({
      index,
      steps,
      body: steps.reduce((body, next) => mutate(body, next, bodies), bodies[index] ?? Buffer.alloc(0)),
      [fc.toStringMethod]: () => JSON.stringify({ index, steps }),
    }));
}

function mutate(
  body: Buffer,
  { operation, at, length, token, byte, other }: Step,
  bodies: readonly Buffer[],
): Buffer {
  const from = Math.floor(at * body.length);
  const cut = (start: number, ...inserted: (Buffer | string)[]): Buffer =>
    Buffer.concat([
      body.subarray(0, from),
      ...inserted.map((part) => Buffer.from(part)),
      body.subarray(start),
    ]);
  switch (operation) {
    case 'flip':
      return cut(from + 1, Buffer.from([(body[from] ?? 0) ^ (1 << (byte % 8))]));
    case 'set':
      return cut(from + 1, Buffer.from([byte]));
    case 'delete':
      return cut(from + length);
    case 'insert':
      return cut(from, token);
    case 'duplicate':
      return cut(from, body.subarray(from, from + length));
    case 'truncate':
      return cut(body.length);
    case 'splice': {
      const donor = bodies[other % bodies.length] ?? body;
      const start = Math.floor(at * donor.length);
      return cut(from + length, donor.subarray(start, start + length));
    }
    case 'value':
      return someValueOf(body, other);
    case 'nest': {
      // Nesting around the allowed depth, with a part that may or may not be a value.
      const levels = 190 + (length % 20);
      return cut(from + length, '['.repeat(levels), body.subarray(from, from + length), ']'.repeat(levels));
    }
  }
}

/** One of the values inside a valid body, alone, or in an object with about the maximum number of levels around it. */
function someValueOf(body: Buffer, choice: number): Buffer {
  let value: unknown;
  try {
    value = JSON.parse(body.toString());
  } catch {
    return body;
  }
  for (
    let left = choice;
    left > 0 && typeof value === 'object' && value !== null;
    left = Math.floor(left / 7)
  ) {
    const inner: unknown[] = Object.values(value);
    if (inner.length === 0) break;
    value = inner[left % inner.length];
  }
  const text = JSON.stringify(value);
  const levels = 185 + (choice % 20);
  return Buffer.from(choice % 3 === 0 ? `{"a":${'['.repeat(levels)}${text}${']'.repeat(levels)}}` : text);
}

/** The expected result of a body: strict UTF-8 with at most one byte order mark, JSON.parse, at most 200 levels, an object. */
export function jsonOutcomeOf(body: Buffer): JsonOutcome {
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch {
    return 'invalid';
  }
  if (levelsOf(value) > 200) return 'invalid';
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? 'ok' : 'not_object';
}

function levelsOf(value: unknown): number {
  let levels = 0;
  let containers = [value].filter(isContainer);
  while (containers.length > 0) {
    levels++;
    containers = containers.flatMap((container) => Object.values(container)).filter(isContainer);
  }
  return levels;
}

function isContainer(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
