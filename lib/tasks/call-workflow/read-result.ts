import type { Pool } from '#lib/core/db/client.ts';
import { JsonSyntaxError } from '#lib/core/json/read-json.ts';
import { parseJson } from '#lib/core/json/parse-json.ts';
import type { JsonValue } from '#lib/core/json/value.ts';
import { topologicalOrder } from '#lib/engine/graph.ts';
import { RunState } from '#lib/engine/run-state.ts';
import { loadTaskRunsAround } from '#lib/engine/store/load.ts';
import { loadGraph } from '#lib/engine/store/load-version.ts';
import type { CalledRun } from '#lib/engine/store/start-call.ts';
import { renderRunAnswer } from '#lib/webhooks/render-response.ts';
import { triggerOf } from '#lib/webhooks/trigger-settings.ts';

const EVENT = `
select e.id, convert_from(e.body, 'UTF8') as body, e.headers from runs r join events e on e.id = r.event_id where r.id = $1`;

/**
 * The result of a called run that has succeeded: what an after-workflow caller of it gets, JSON as a value; where its trigger
 * responds otherwise, the output of the task that ended last; null where there is none.
 */
export async function readResult(
  pool: Pool,
  { id, workflow_id: workflowId, version, workspaceId, now }: CalledRun & { workspaceId: string; now: Date },
): Promise<JsonValue> {
  const graph = await loadGraph(pool, workflowId, version);
  const [taskRuns, events] = await Promise.all([
    loadTaskRunsAround(pool, id, graph, ''),
    pool.query<{ id: string; body: string | null; headers: Record<string, string> }>({
      name: 'read_called_event',
      text: EVENT,
      values: [id],
    }),
  ]);
  if (triggerOf(graph).settings.response_type !== 'after_workflow') {
    const place = new Map(topologicalOrder(graph.nodes).map(({ task }, index) => [task.id, index]));
    const [last] = taskRuns
      .filter(({ status, taskId }) => status === 'succeeded' && taskId !== graph.triggerId)
      .toSorted(
        (a, b) =>
          (b.finishedAt ?? 0) - (a.finishedAt ?? 0) ||
          (place.get(b.taskId) ?? 0) - (place.get(a.taskId) ?? 0),
      );
    return last?.output ?? null;
  }
  const { id: eventId = '', body = null, headers = {} } = events.rows[0] ?? {};
  const event = { id: eventId, isReplay: false, body: parseJson(body ?? 'null'), headers };
  const run = { id, epoch: 0, workspaceId, workflowId, version, awaitsAnswer: false, event };
  const answer = renderRunAnswer(new RunState(run, graph, taskRuns), false, now);
  return answer.contentType === 'application/json' ? parseIfJson(answer.body) : answer.body;
}

function parseIfJson(text: string): JsonValue {
  try {
    return parseJson(text);
  } catch (error) {
    if (error instanceof JsonSyntaxError) return text;
    throw error;
  }
}
