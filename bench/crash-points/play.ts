import { check, type Verdict } from './check.ts';
import type { Lane } from './lane.ts';
import type { Point, Struck } from './point.ts';
import type { Scenario } from './scenario.ts';
import type { Sabotage } from './installation.ts';
import { Stage } from './stage.ts';

export interface Played extends Verdict {
  scenario: Scenario;
  wanted: readonly Struck[];
  /** Number of planned faults that happened. */
  struck: number;
  /** The points that were passed after the last fault. */
  passed: readonly Point[];
  milliseconds: number;
}

let plays = 0;

/** Runs a scenario once, with these faults one after the other. */
export async function play(
  lane: Lane,
  scenario: Scenario,
  wanted: readonly Struck[] = [],
  sabotage?: Sabotage,
): Promise<Played> {
  const startedMs = performance.now();
  plays += 1;
  const stage = new Stage(lane, String(plays), scenario, wanted, sabotage);
  try {
    await stage.prepare();
    if (scenario.act) await scenario.act(stage);
    else {
      await stage.post();
      stage.startWorker();
      await stage.until('over');
    }
    const { director } = stage;
    director.end();
    const passed = director.passed.at(-1) ?? [];
    const verdict = await check(stage);
    const milliseconds = performance.now() - startedMs;
    return { ...verdict, scenario, wanted, struck: director.happened.length, passed, milliseconds };
  } finally {
    await stage.end();
  }
}
