import { type JsonObject, type JsonValue, isJsonObject } from '#lib/core/json/value.ts';
import type { CompiledGraph, GraphNode } from '#lib/engine/graph.ts';
import { loadGraph } from '#lib/engine/store/load-version.ts';
import type { Context } from '#lib/identity/context.ts';
import { listSubscribers, selectSubscribers } from '#lib/messaging/notifications/subscribers.ts';
import { evaluateSetting } from '#lib/tasks/evaluate-setting.ts';
import { findTaskKind } from '#lib/tasks/kinds.ts';
import { toText } from '#lib/variables/to-text.ts';
import { triggerScope } from '#lib/webhooks/render-response.ts';
import { readBody } from '../event-row.ts';
import type { EventSummary } from '../schema.ts';

const AT_ONCE = 50;
/** Larger bodies are not searched for recipients. */
const MAX_BODY_BYTES = 256 * 1024;

export interface MessageEstimate {
  messages: number;
  people: number;
  unknownRecipients: number;
  hasLoops: boolean;
}

interface Loaded {
  workflow_id: string;
  version: number;
}

/**
 * Maximum number of messages when workflows run for these events: one for each sending task of their published versions, on
 * any branch. Recipients that depend on tasks are unknown.
 */
export async function estimateMessages(
  ctx: Context,
  events: readonly EventSummary[],
): Promise<MessageEstimate> {
  const published = await loadPublished(ctx);
  const people = new Set<string>();
  const sum = { messages: 0, people: 0, unknownRecipients: 0, hasLoops: false };
  for (let from = 0; from < events.length; from += AT_ONCE) {
    const batch = events.slice(from, from + AT_ONCE);
    const bodies = await loadBodies(ctx, batch);
    for (const event of batch) {
      const body = bodies.get(event.id);
      for (const workflowId of await findWorkflows(ctx, event, body)) {
        const version = published.get(workflowId);
        if (version === undefined) continue;
        const graph = await loadGraph(ctx.db.$client, workflowId, version);
        for (const node of listSending(graph)) {
          const recipient = findRecipient(node, graph, body, new Date(event.received_at));
          sum.messages += 1;
          sum.hasLoops ||= node.loops.length > 0;
          if (recipient === undefined) sum.unknownRecipients += 1;
          else people.add(recipient);
        }
      }
    }
  }
  return { ...sum, people: people.size };
}

async function loadPublished(ctx: Context): Promise<Map<string, number>> {
  const { rows } = await ctx.db.$client.query<Loaded>(
    `select id as workflow_id, published_version as version from workflows
     where workspace_id = $1 and deleted_at is null and active and published_version is not null`,
    [ctx.workspaceId],
  );
  return new Map(rows.map((row) => [row.workflow_id, row.version]));
}

async function loadBodies(ctx: Context, events: readonly EventSummary[]): Promise<Map<string, JsonObject>> {
  const { rows } = await ctx.db.$client.query<{ id: string; body: Buffer }>(
    'select id, body from events where id = any($1::uuid[]) and workspace_id = $2 and octet_length(body) <= $3',
    [events.map(({ id }) => id), ctx.workspaceId, MAX_BODY_BYTES],
  );
  return new Map(
    rows.flatMap(({ id, body }): [string, JsonObject][] => {
      const value: JsonValue = readBody(body).body;
      return isJsonObject(value) ? [[id, value]] : [];
    }),
  );
}

async function findWorkflows(
  ctx: Context,
  event: EventSummary,
  body: JsonObject | undefined,
): Promise<string[]> {
  if (event.workflow_id !== null) return [event.workflow_id];
  if (event.connection_id === null || !body) return [];
  const subscribers = await listSubscribers(ctx.db.$client, event.connection_id);
  return selectSubscribers(subscribers, () => body).map((each) => each.workflow_id);
}

const recipientOf = ({ task }: GraphNode): string | undefined =>
  task.disabled === true ? undefined : findTaskKind(task.type)?.recipientOf?.(task.settings);

const listSending = (graph: CompiledGraph): GraphNode[] =>
  [...graph.nodes.values()].filter((node) => recipientOf(node) !== undefined);

/** Undefined: it depends on tasks. */
function findRecipient(
  node: GraphNode,
  graph: CompiledGraph,
  body: JsonObject | undefined,
  now: Date,
): string | undefined {
  if (!body) return undefined;
  try {
    const value = evaluateSetting(
      recipientOf(node) ?? '',
      triggerScope(graph.triggerId, { body, headers: {}, receivedAt: now }),
    );
    return (
      toText(value ?? '')
        .replace(/^\+/, '')
        .trim() || undefined
    );
  } catch {
    return undefined;
  }
}
