// What the trigger's settings make of a request besides its response: the line of its run (docs/webhooks.md, "Order"), its burst ("Bursts"),
// and the key by which it is found ("Search").
import type { Queryable } from '#lib/core/db/client.ts';
import type { CompiledGraph } from '#lib/engine/graph.ts';
import { type BurstOfWebhook, toBurstKey } from '#lib/engine/store/bursts.ts';
import { findVersion } from '#lib/engine/store/load-version.ts';
import { hasGateSql, toLine } from '#lib/engine/store/run-lines.ts';
import { toSearchKey } from '#lib/engine/store/search-keys.ts';
import { asksZoneOf, ZONE_OWNERS } from '#lib/variables/task-names.ts';
import { type ObjectBody, parseObjectBody } from './object-body.ts';
import type { ReceivedData } from './render-response.ts';
import { triggerOf } from './trigger-settings.ts';

type Received = Omit<ReceivedData, 'body'>;

interface VersionOfWorkflow {
  workflowId: string;
  version: number;
}

/** Columns of an arrival. */
export interface RunMarks {
  /** Left out: its run waits for no other one. */
  line?: string;
  /** Left out: its run waits for no further request. */
  burst?: BurstOfWebhook;
  /** Left out: it is found by no key. */
  searchKey?: string;
}

/** Of a request to a workflow with this graph. */
export async function findMarks(
  workflowId: string,
  graph: CompiledGraph,
  object: ObjectBody,
  received: Received,
): Promise<RunMarks> {
  const trigger = triggerOf(graph);
  const { order_by: orderBy, search_by: searchBy, quiet_by: quietBy } = trigger.settings;
  const { quiet_seconds: quietSeconds } = trigger.settings;
  const marks: RunMarks = {};
  const order = orderBy ? await object.renderValue(trigger, 'order_by', received) : '';
  if (order !== '') marks.line = toLine(workflowId, order);
  if (quietSeconds !== undefined) {
    const value = quietBy ? await object.renderValue(trigger, 'quiet_by', received) : '';
    if (value !== '' || !quietBy)
      marks.burst = { key: toBurstKey(workflowId, value), quietMs: quietSeconds * 1000 };
  }
  const key = searchBy ? toSearchKey(await object.renderValue(trigger, 'search_by', received)) : undefined;
  if (key !== undefined) marks.searchKey = key;
  return marks;
}

/** Of a stored body, which is read only where the version has such settings. */
export async function findMarksOfBody(
  client: Queryable,
  { workflowId, version }: VersionOfWorkflow,
  readBody: () => Uint8Array | null | Promise<Uint8Array | null>,
  received: Received,
): Promise<RunMarks> {
  const stored = await findVersion(client, workflowId, version);
  if (!stored) return {};
  const { settings } = triggerOf(stored.compiled);
  const { order_by: orderBy, search_by: searchBy, quiet_by: quietBy, quiet_seconds: quietSeconds } = settings;
  if (!orderBy && !searchBy && quietSeconds === undefined) return {};
  const parsed = parseObjectBody((await readBody()) ?? new Uint8Array());
  if (!('object' in parsed)) return {};
  const isInZone = ZONE_OWNERS.some((owner) => asksZoneOf(owner, `${orderBy} ${searchBy} ${quietBy}`));
  const zone = isInZone ? await findZone(client, workflowId) : undefined;
  return findMarks(workflowId, stored.compiled, parsed.object, { ...received, zone });
}

const ZONE =
  'select t.zone from workflows w join workspace_times t on t.workspace_id = w.workspace_id where w.id = $1';

async function findZone(client: Queryable, workflowId: string): Promise<string | undefined> {
  const { rows } = await client.query<{ zone: string }>(ZONE, [workflowId]);
  return rows[0]?.zone;
}

const PUBLISHED = `
select w.published_version, ${hasGateSql('w')} as has_gate from workflows w where w.id = $1`;
const EVENT = 'select body, headers from events where id = $1';

/** A new run for a stored event: which version it has to execute, and its line, or the gate of its workflow. */
export interface RunForEvent {
  version: number;
  line: string | null;
}

/** Undefined: the workflow is not published. The caller has checked the workspace. */
export async function findLineOfEvent(
  client: Queryable,
  { workflowId, eventId }: { workflowId: string; eventId: string },
): Promise<RunForEvent | undefined> {
  const workflows = await client.query<{ published_version: number | null; has_gate: boolean }>(PUBLISHED, [
    workflowId,
  ]);
  const version = workflows.rows[0]?.published_version ?? null;
  const gate = workflows.rows[0]?.has_gate === true ? workflowId : null;
  if (version === null) return undefined;
  const received: Received = { headers: {}, receivedAt: new Date() };
  const readBody = async (): Promise<Buffer | null> => {
    const { rows } = await client.query<{ body: Buffer | null; headers: Record<string, string> }>(EVENT, [
      eventId,
    ]);
    received.headers = rows[0]?.headers ?? {};
    return rows[0]?.body ?? null;
  };
  const { line } = await findMarksOfBody(client, { workflowId, version }, readBody, received);
  return { version, line: line ?? gate };
}
