import { readBody } from '#lib/events/read-body.ts';
import { isJsonObject, type JsonValue } from '#lib/core/json/value.ts';
import { reachablePart } from '#lib/editor/canvas/find-problems.ts';
import type { WorkflowGraph } from '#lib/engine/graph-types.ts';
import { listPayloadUses, type PayloadUse } from '#lib/tasks/list-payload-uses.ts';
import type { Context } from '#lib/identity/context.ts';
import type { PayloadDrift } from '#lib/editor/drift-types.ts';
import { findPayloadDrift } from '#lib/editor/find-payload-drift.ts';
import { getVersion } from '#lib/workflows/get-version.ts';
import { getWorkflow } from '#lib/workflows/get-workflow.ts';
import { newestOfWorkflow } from '#lib/workflows/newest-of-workflow.ts';
import { triggerIdOf } from '#lib/workflows/check-graph.ts';

const MAX_EVENTS = 200;
const MAX_BODY_BYTES = 64 * 1024;
const MAX_BYTES = 2 * 1024 * 1024;

/** The newest by (workflow, id); bodies that are large, or too many together, are not read at all. */
const BODIES = `
select body from (
  select id, body, sum(octet_length(body)) over (order by id desc) as bytes
  from (
    select id, body, kind, outcome from events e ${newestOfWorkflow('e', '$1')} limit ${MAX_EVENTS}
  ) newest
  where kind <> 'test' and outcome <> 'rejected' and octet_length(body) <= ${MAX_BODY_BYTES}
) small
where bytes <= ${MAX_BYTES}
order by id desc`;

/**
 * Fields used by the draft or the published version that are missing in the newest production events, or have another type.
 * @throws AppError `not_found`
 */
export async function loadPayloadDrift(ctx: Context, { id }: { id: string }): Promise<PayloadDrift> {
  const workflow = await getWorkflow(ctx, { id });
  const { published_version: version } = workflow;
  const published = version === null ? [] : usesOf(await getVersion(ctx, { id, version }));
  const draft = usesOf(workflow);
  const onlyPublished = published.filter(({ label }) => !draft.some((use) => use.label === label));
  const uses = [...draft, ...onlyPublished];
  const bodies = uses.length === 0 ? [] : await readBodies(ctx, workflow.id);
  const findings = findPayloadDrift(uses, triggerIdOf(workflow), bodies);
  return {
    events: bodies.length,
    findings: findings.map((finding) => ({
      ...finding,
      isMended: onlyPublished.some(({ label }) => label === finding.label),
    })),
  };
}

/** The parts of the payload that a workflow uses. A draft may have unreachable tasks, or a cycle. */
export function usesOf(graph: WorkflowGraph): PayloadUse[] {
  const part = reachablePart(graph);
  return part ? listPayloadUses(part) : [];
}

/** The bodies of a workflow's newest production events that are JSON objects and not large, newest first. */
export async function readBodies(ctx: Pick<Context, 'db'>, workflowId: string): Promise<JsonValue[]> {
  const { rows } = await ctx.db.$client.query<{ body: Buffer }>(BODIES, [workflowId]);
  return rows.flatMap(({ body }) => {
    const shown = readBody(body);
    return shown.body_format === 'json' && isJsonObject(shown.body) ? [shown.body] : [];
  });
}
