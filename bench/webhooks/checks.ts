// The cost of a caller check: the same flow without one, and with an HMAC over the body, in alternation.
import { createHmac } from 'node:crypto';
import type { WorkflowGraph } from '#lib/engine/graph-types.ts';
import { FIVE_TASKS } from '../workflows.ts';
import { alternate, type Cell } from './alternate.ts';
import { makeBody } from './make-body.ts';
import type { BenchOptions } from './options.ts';
import { patchbay } from './patchbay.ts';
import { startAll, stopAll } from './system.ts';

export interface CheckCell {
  check: 'none' | 'hmac_sha256';
  kilobytes: number;
}

const SECRET = "It's a Secret to Everybody";
const KILOBYTES = 2;
const CONNECTIONS = 32;

/** GitHub's signature, which covers only the body. */
const signed = (graph: WorkflowGraph): WorkflowGraph => ({
  ...graph,
  tasks: graph.tasks.map((task) =>
    task.id === 1
      ? { ...task, settings: { ...task.settings, caller_check: 'github', caller_secret: SECRET } }
      : task,
  ),
});

export async function measureChecks(
  { rounds, roundSeconds: seconds }: BenchOptions,
  say: (line: string) => void,
): Promise<Cell<CheckCell>[]> {
  const flows = { none: { graph: FIVE_TASKS }, hmac_sha256: { graph: signed(FIVE_TASKS) } };
  const body = makeBody(KILOBYTES);
  const signature = createHmac('sha256', SECRET).update(body).digest('hex');
  const headers = { 'X-Hub-Signature-256': `sha256=${signature}` };
  const systems = await startAll([patchbay('Patchbay')], flows);
  try {
    const cells = (['none', 'hmac_sha256'] as const).map((check) => ({
      cell: { check, kilobytes: KILOBYTES },
      title: `check of the caller: ${check}, ${KILOBYTES} KB`,
      load: { flow: check, body, headers, connections: CONNECTIONS, seconds },
    }));
    return await alternate(systems, cells, rounds, say);
  } finally {
    await stopAll(systems);
  }
}
