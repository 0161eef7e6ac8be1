import { globSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { about } from './log-fields.ts';

const root = new URL('../..', import.meta.url).pathname;
/** The first argument of a log call, where it is an object. */
const LOG_CALL = /\b(?:logger|log)\s*\.\s*(?:trace|debug|info|warn|error|fatal)\(\s*(\{[^;]*?\}),\s*['"`]/g;
const ID_FIELD = /(?<![.\w])(\w*(?:Id|_id))\b\s*[:,}]/;

describe('Fields of a log line', () => {
  test('have one name each, and only of what is known', () => {
    expect(about({ runId: 'run', taskId: 3, iteration: '', connectionId: undefined })).toEqual({
      run_id: 'run',
      task_id: 3,
    });
    expect(about({ event: { id: 'event', isReplay: false, headers: {} } })).toEqual({ event_id: 'event' });
  });

  test('are named here only: no log call names an id itself', () => {
    const files = globSync('{lib,server,app}/**/*.ts', { cwd: root }).filter(
      (file) => !/\.test\.ts$|testing\//.test(file),
    );
    const calls = files.flatMap((file) =>
      [...readFileSync(`${root}/${file}`, 'utf8').matchAll(LOG_CALL)].map(([, fields = '']) => ({
        file,
        fields: fields.replaceAll(/about\(\{.*?\}\)/gs, ''),
      })),
    );
    expect(calls.length).toBeGreaterThan(15);
    expect(calls.filter(({ fields }) => ID_FIELD.test(fields))).toEqual([]);
  });
});
