import type { JsonValue } from '#lib/core/json/value.ts';
import type { RunState } from '#lib/engine/run-state.ts';
import type { getEvent } from '#lib/events/get-event.ts';
import type { loadRun } from '#lib/runs/load-run.ts';

/** The state of a recorded run with its event, without executing anything. */
export const toRecordedRun = (
  run: Awaited<ReturnType<typeof loadRun>>,
  event: Awaited<ReturnType<typeof getEvent>>,
  workspaceId: string,
): ConstructorParameters<typeof RunState>[0] => ({
  id: run.id,
  epoch: 0,
  workspaceId,
  workflowId: run.workflow_id,
  version: run.version,
  awaitsAnswer: false,
  event: {
    id: event.id,
    isReplay: event.replay_of !== null,
    body: event.body as JsonValue,
    headers: event.headers,
  },
});
