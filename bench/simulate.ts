// `npm run simulate`: runs schedules of faults on the engine with an in-memory database, and shrinks the first one that breaks
// an invariant. `--seed N` is the first schedule (default 1), `--count N` their number (default 1); `--model customers` has two
// workflows a customer, and holds and stops.
import { parseArgs } from 'node:util';
import type { ModelKind } from '#lib/engine/testing/simulation/model.ts';
import { describeFailure, findFailure } from '#lib/engine/testing/simulation/shrink.ts';
import { callsModel } from '#lib/tasks/call-workflow/testing/calls-model.ts';
import { customersModel } from '#lib/tasks/messaging-business/testing/simulation/model.ts';

const { values } = parseArgs({
  options: { seed: { type: 'string' }, count: { type: 'string' }, model: { type: 'string' } },
});
const MODELS: Record<string, ModelKind> = { customers: customersModel(), calls: callsModel() };
const model = MODELS[values.model ?? ''];
if (values.model !== undefined && !model) {
  process.stderr.write(
    `There is no model "${values.model}". Use one of ${Object.keys(MODELS).join(', ')}.\n`,
  );
  process.exit(1);
}
const first = Number(values.seed ?? 1);
const count = Number(values.count ?? 1);

const startedMs = performance.now();
const played = { schedules: 0, runs: 0, statements: 0 };
const failure = await findFailure({ first, count }, { model }, ({ tables, statements }) => {
  played.schedules += 1;
  played.runs += tables.runs.size;
  played.statements += statements;
});
const seconds = (performance.now() - startedMs) / 1000;
process.stdout.write(
  `${played.schedules} schedules with ${played.runs} runs and ${played.statements} statements in ${seconds.toFixed(1)} s: ` +
    `${failure ? describeFailure(failure, values.model) : 'every invariant holds'}\n`,
);
process.exitCode = failure ? 1 : 0;
