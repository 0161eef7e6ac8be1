import { describe, expect, it } from 'vitest';
import { stringifyJson } from '#lib/core/json/stringify-json.ts';
import { parseJson } from '#lib/core/json/parse-json.ts';
import type { JsonObject } from '#lib/core/json/value.ts';
import { describeOutput } from './object-body.ts';

const describeText = (text: string) => describeOutput(7, parseJson(text) as JsonObject);

describe('output in the answer of the test URL', () => {
  it('holds fields, flattened names and containers under their own names, with their types', () => {
    expect(describeText('{"a":{"b":[1,{"c":null}]},"__proto__":true}').variables).toEqual(
      JSON.parse(
        `{"task_7_a":{"b":[1,{"c":null}]},"task_7_a_b":[1,{"c":null}],"task_7_a_b_0":1,"task_7_a_b_1":{"c":null},
          "task_7_a_b_1_c":null,"task_7___proto__":true,"task_7_run":true,
          "task_7_run_text":"Inbound data was received and processed successfully."}`,
      ),
    );
  });

  it('does not grow with the depth of a large body, and says what was left out', () => {
    const text = `${'{"a":'.repeat(190)}"${'x'.repeat(900_000)}"${'}'.repeat(190)}`;
    const { variables, note } = describeText(text);
    expect(note).toMatch(/left out/);
    expect(stringifyJson(variables).length).toBeLessThan(4_000_000);
    expect(Object.keys(variables)).toContain(`task_7_${Array.from({ length: 190 }, () => 'a').join('_')}`);
  });

  it('lists the top-level fields of a body whose names are too long to list, and says so', () => {
    const key = 'k'.repeat(9000);
    const values = Array.from({ length: 8000 }, () => '1').join();
    const { variables, note } = describeText(`{"a":1,"${key}":[${values}]}`);
    expect(Object.keys(variables)).toEqual(['task_7_a', `task_7_${key}`, 'task_7_run', 'task_7_run_text']);
    expect(note).toMatch(/top-level/);
  });
});
