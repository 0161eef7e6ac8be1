import { expect, test } from 'vitest';
import { wrapLine } from './log-line.mjs';

test('a line of another program is put into JSON, and one that is JSON stays as it is', () => {
  expect(wrapLine('{"level":30,"msg":"as it is"}', 'web')).toBe('{"level":30,"msg":"as it is"}\n');
  for (const text of ['<--- Last few GCs --->', '{ code: 1 }', '{'])
    expect(JSON.parse(wrapLine(text, 'web 2'))).toMatchObject({ level: 50, program: 'web 2', msg: text });
});
