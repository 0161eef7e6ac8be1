import { expect, test } from 'vitest';
import { isOfPart, type Plan } from './explore.ts';
import type { Scenario } from './scenario.ts';

const PARTS = [1, 2, 3, 4, 5, 6, 7, 8];

const planOf = (scenario: string, operation: string, nth: number): Plan => ({
  scenario: { name: scenario } as Scenario,
  wanted: [{ kind: 'worker', operation, nth, place: 'after', effect: 'writes', strike: 'dies' }],
});
const partsOf = (plan: Plan): number[] => PARTS.filter((part) => isOfPart(plan, part, PARTS.length));

test('each plan is in one part, with those of the same names, and parts are about as large as each other', () => {
  const operations = Array.from({ length: 200 }, (_, index) => `operation_${index}`);
  const parts = ['a loop', 'a call'].flatMap((scenario) =>
    operations.map((operation) => {
      const own = partsOf(planOf(scenario, operation, 1));
      expect(own).toHaveLength(1);
      expect(partsOf(planOf(scenario, operation, 2))).toEqual(own);
      return own[0];
    }),
  );
  for (const part of PARTS) {
    const { length } = parts.filter((each) => each === part);
    expect(length).toBeGreaterThan(25);
    expect(length).toBeLessThan(100);
  }
});
