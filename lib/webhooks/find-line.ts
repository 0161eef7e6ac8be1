// The lines of runs whose trigger orders them (docs/webhooks.md, "Order").
import type { Queryable } from '#lib/core/db/client.ts';
import type { CompiledGraph } from '#lib/engine/graph.ts';
import { findVersion } from '#lib/engine/store/load-version.ts';
import { toLine } from '#lib/engine/store/run-lines.ts';
import { type ObjectBody, parseObjectBody } from './object-body.ts';
import type { ReceivedData } from './render-response.ts';
import { triggerOf } from './trigger-settings.ts';

type Received = Omit<ReceivedData, 'body'>;

interface VersionOfWorkflow {
  workflowId: string;
  version: number;
}

/** The line of a run of a graph; undefined: it waits for no other run. */
export async function findLine(
  workflowId: string,
  graph: CompiledGraph,
  object: ObjectBody,
  received: Received,
): Promise<string | undefined> {
  const trigger = triggerOf(graph);
  if (!trigger.settings.order_by) return undefined;
  const value = await object.renderOrder(trigger, received);
  return value === '' ? undefined : toLine(workflowId, value);
}

/** The line of a run for a stored body, which is read only where the version orders its runs. */
export async function findLineOfBody(
  client: Queryable,
  { workflowId, version }: VersionOfWorkflow,
  readBody: () => Uint8Array | null | Promise<Uint8Array | null>,
  received: Received,
): Promise<string | undefined> {
  const stored = await findVersion(client, workflowId, version);
  if (!stored || !triggerOf(stored.compiled).settings.order_by) return undefined;
  const parsed = parseObjectBody((await readBody()) ?? new Uint8Array());
  return 'object' in parsed ? findLine(workflowId, stored.compiled, parsed.object, received) : undefined;
}

const PUBLISHED = 'select published_version from workflows where id = $1';
const EVENT = 'select body, headers from events where id = $1';

/** A new run for a stored event: which version it has to execute, and its line. */
export interface RunForEvent {
  version: number;
  line: string | null;
}

/** Undefined: the workflow is not published. The caller has checked the workspace. */
export async function findLineOfEvent(
  client: Queryable,
  { workflowId, eventId }: { workflowId: string; eventId: string },
): Promise<RunForEvent | undefined> {
  const workflows = await client.query<{ published_version: number | null }>(PUBLISHED, [workflowId]);
  const version = workflows.rows[0]?.published_version ?? null;
  if (version === null) return undefined;
  const received: Received = { headers: {}, receivedAt: new Date() };
  const readBody = async (): Promise<Buffer | null> => {
    const { rows } = await client.query<{ body: Buffer | null; headers: Record<string, string> }>(EVENT, [
      eventId,
    ]);
    received.headers = rows[0]?.headers ?? {};
    return rows[0]?.body ?? null;
  };
  const line = await findLineOfBody(client, { workflowId, version }, readBody, received);
  return { version, line: line ?? null };
}
