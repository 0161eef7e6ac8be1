import type { Context } from '#lib/identity/context.ts';
import type { CallerResponse } from '#lib/screens/run-types.ts';
import type { CompiledGraph } from '#lib/engine/graph.ts';
import type { RunAnswer } from '#lib/engine/store-types.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '#lib/core/json/value.ts';
import { listFirstWaits } from '#lib/editor/canvas/list-answering-tasks.ts';
import type { Event } from '#lib/events/schema.ts';
import type { RunRow } from '#lib/runs/run-row.ts';
import { prepareResponse } from '#lib/webhooks/prepare-response.ts';
import { renderRunning } from '#lib/webhooks/render-response.ts';
import { triggerOf } from '#lib/webhooks/trigger.ts';

/** The response of a run whose caller waited, and its time: at the first task that waits, or at the end. */
const ANSWER = `
select r.answer, 1000 * extract(epoch from coalesce(
  (select min(t.started_at) from task_runs t where t.run_id = r.id and t.task_id = any($2::int[])), r.finished_at, now()
) - r.created_at)::float8 as ms
from runs r where r.id = $1`;

export interface ResponseOf {
  run: RunRow;
  event: Event;
  graph: CompiledGraph;
  /** How long a caller waits for a run; left out: the recorded response counts as sent. */
  answerLimitMs?: number | undefined;
}

/**
 * The response that the caller of the production URL got. Null without a caller (replays, retries, runs of a draft, messages
 * of customers) and while the caller waits.
 */
export async function readCallerResponse(
  ctx: Context,
  { run, event, graph, answerLimitMs = Infinity }: ResponseOf,
): Promise<CallerResponse | null> {
  const hasCaller = event.kind === 'production' && event.replay_of === null;
  if (!hasCaller || run.retry_of !== null || run.version <= 0) return null;
  if (!run.awaited) return renderAgain(event, graph);
  const nodes = [...graph.nodes.values()];
  const waits = listFirstWaits({
    tasks: nodes.map(({ task }) => task),
    edges: nodes.flatMap(({ children }) => children),
  });
  const { rows } = await ctx.db.$client.query<{ answer: RunAnswer | null; ms: number }>(ANSWER, [
    run.id,
    waits,
  ]);
  const [found] = rows;
  if (found && found.ms > answerLimitMs) return toResponse(renderRunning(run.id));
  return found?.answer ? toResponse(found.answer) : null;
}

/** Rendered from the event alone. Headers with secrets are masked, as everywhere. */
function renderAgain({ body, headers, received_at }: Event, graph: CompiledGraph): CallerResponse | null {
  if (!isJsonObject(body as JsonValue)) return null;
  const received = { body: body as JsonObject, headers, receivedAt: new Date(received_at) };
  const response = prepareResponse(triggerOf(graph), received);
  if (response.kind === 'body') return toResponse(response);
  return response.kind === 'redirect' ? { status: 302, contentType: null, body: response.location } : null;
}

const toResponse = ({ status, contentType, body }: RunAnswer): CallerResponse => ({
  status,
  contentType,
  body,
});
