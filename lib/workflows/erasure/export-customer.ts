// Everything that is stored of a customer, for them.
import * as z from 'zod';
import type { Pool } from '#lib/core/db/client.ts';
import { parseJson } from '#lib/core/json/parse-json.ts';
import { stringifyJson } from '#lib/core/json/stringify-json.ts';
import { findVersion } from '#lib/engine/store/load-version.ts';
import { recordAudit } from '#lib/identity/audit/record-audit.ts';
import type { ActorContext } from '#lib/identity/context.ts';
import { getConsent } from '#lib/messaging/consent/consents.ts';
import { findCustomer } from '#lib/messaging/consent/find-customer.ts';
import { getHold } from '#lib/messaging/consent/holds.ts';
import { consentSchema, holdSchema } from '#lib/messaging/consent/schema.ts';
import type { Redactor } from '#lib/secrets/redact.ts';
import { loadRedactor } from '#lib/secrets/stored-secrets.ts';
import { isForOthers } from './clean-run.ts';
import { Spellings } from './spellings.ts';

const instant = z.iso.datetime();
const text = z.string().nullable();

export const customerExportSchema = z
  .strictObject({
    exported_at: instant,
    names: z
      .array(
        z.strictObject({
          name: z.string().meta({ description: 'Digits of a number, or a user ID.' }),
          profile_name: text,
          learned_at: instant,
          seen_at: instant,
        }),
      )
      .meta({ description: 'Their number and user IDs.' }),
    consent: consentSchema,
    hold: holdSchema.shape.hold,
    attributes: z
      .array(z.strictObject({ name: z.string(), type: z.string(), value: z.string(), set_at: instant }))
      .meta({ description: 'What workflows and members remember of them.' }),
    windows: z.array(z.strictObject({ phone_number_id: z.string(), last_message_at: instant })),
    messages_received: z.array(
      z.strictObject({
        id: z.string(),
        phone_number_id: z.string(),
        type: z.string(),
        received_at: instant,
        body: text.meta({ description: 'The event’s body as text; null: it was removed.' }),
      }),
    ),
    messages_sent: z.array(
      z.strictObject({
        id: z.string(),
        phone_number_id: z.string(),
        kind: text,
        template_name: text,
        sent_at: instant,
        statuses: z.unknown().meta({ description: 'What the platform reported, oldest first.' }),
        run_id: text,
      }),
    ),
    list_rows: z
      .array(
        z.strictObject({
          list_id: z.string(),
          list_name: text,
          line: z.int(),
          columns: z.unknown().meta({ description: 'Names of the columns.' }),
          values: z.unknown().meta({ description: 'In the order of the columns.' }),
          state: z.string(),
          run_id: text,
        }),
      )
      .meta({ description: 'Rows of uploaded lists of recipients.' }),
    runs: z.array(
      z.strictObject({
        id: z.string(),
        workflow_id: z.string(),
        created_at: instant,
        body: text.meta({
          description: 'What started it, as text; null: it was removed, or is about others, too.',
        }),
        task_runs: z
          .array(
            z.strictObject({
              task_id: z.int(),
              iteration: z.string(),
              run_text: text,
              output: text.meta({ description: 'JSON text.' }),
            }),
          )
          .meta({
            description: 'Of a run that sent to others, too: those with the number or user ID in them.',
          }),
      }),
    ),
  })
  .meta({ id: 'CustomerExport' });

export type CustomerExport = z.infer<typeof customerExportSchema>;

const NAMES = `
select name, profile_name, learned_at, seen_at from customer_names
where workspace_id = $1 and name = any($2::text[]) order by name`;
const WINDOWS = `
select phone_number_id, max(last_message_at) as last_message_at from conversation_windows
where workspace_id = $1 and customer = any($2::text[]) group by 1 order by 1`;
const ATTRIBUTES = `
select attribute as name, type, value, at as set_at from customer_attributes
where workspace_id = $1 and name = any($2::text[]) order by attribute, at`;
const RECEIVED = `
select distinct on (m.received_at, m.message_id) m.message_id as id, m.phone_number_id, m.type, m.received_at, e.body
from received_messages m left join events e on e.id = m.event_id
where m.workspace_id = $1 and m.customer = any($2::text[]) order by m.received_at, m.message_id, e.body is null`;
const SENT = `
select message_id as id, phone_number_id, kind, template_name, created_at as sent_at, timeline as statuses, run_id
from sent_messages where workspace_id = $1 and recipient = any($2::text[]) order by created_at, message_id`;
const LIST_ROWS = `
select l.id as list_id, l.name as list_name, r.line, l.columns, r.data as values, r.state, r.run_id
from send_lists l join send_list_rows r on r.list_id = l.id
where l.workspace_id = $1 and r.recipient = any($2::text[]) order by l.id, r.line`;
const RUNS = `
select r.id, r.workflow_id, r.version, r.created_at, case when not others.found then e.body end as body, others.found as is_shared
from (
  select run_id from sent_messages where workspace_id = $1 and recipient = any($2::text[])
  union select run_id from received_messages where workspace_id = $1 and customer = any($2::text[])
) own
join runs r on r.id = own.run_id and r.workspace_id = $1
left join events e on e.id = r.event_id
cross join lateral (
  select ${isForOthers('r.id', '$2::text[]')}
    or exists (select from task_runs t where t.run_id = r.id and t.items is not null) as found
) others
order by r.id`;
const TASK_RUNS = `
select task_id, iteration, run_text, output from task_runs
where run_id = $1 and ($2::text is null or coalesce(run_text, '') ~ $2 or coalesce(output, '') ~ $2) order by task_id, iteration`;

/** Everything that is stored of a customer, without the secrets of workflows. @throws AppError `not_found` */
export async function exportCustomer(
  ctx: Pick<ActorContext, 'db' | 'secrets' | 'workspaceId' | 'actor'>,
  { id }: { id: string },
): Promise<CustomerExport> {
  const { names, customerId } = await findCustomer(ctx, id);
  const [consent, { hold }] = await Promise.all([getConsent(ctx, { id }), getHold(ctx, { id })]);
  await ctx.db.transaction((tx) =>
    recordAudit(ctx, tx, 'customer.exported', customerId === null ? {} : { id: customerId }),
  );
  const values = [ctx.workspaceId, names];
  const pool = ctx.db.$client;
  return {
    exported_at: new Date().toISOString(),
    names: (await read<CustomerExport['names'][number]>(pool, NAMES, values)).map(withInstants),
    consent,
    hold,
    attributes: (await read<CustomerExport['attributes'][number]>(pool, ATTRIBUTES, values)).map(
      withInstants,
    ),
    windows: (await read<CustomerExport['windows'][number]>(pool, WINDOWS, values)).map(withInstants),
    messages_received: (await read<CustomerExport['messages_received'][number]>(pool, RECEIVED, values)).map(
      withInstants,
    ),
    messages_sent: (await read<CustomerExport['messages_sent'][number]>(pool, SENT, values)).map(
      withInstants,
    ),
    list_rows: await read<CustomerExport['list_rows'][number]>(pool, LIST_ROWS, values),
    runs: await readRuns(ctx, values, new Spellings({ names, words: [] }).sql),
  };
}

const read = async <Row extends object>(pool: Pool, statement: string, values: unknown[]): Promise<Row[]> =>
  (await pool.query<Row>(statement, values)).rows;

/** Dates as ISO 8601, bodies as text. */
const withInstants = <Row extends object>(row: Row): Row =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name,
      value instanceof Date ? value.toISOString() : Buffer.isBuffer(value) ? value.toString('utf8') : value,
    ]),
  ) as Row;

type Run = CustomerExport['runs'][number];

async function readRuns(
  ctx: Pick<ActorContext, 'db' | 'secrets' | 'workspaceId'>,
  values: unknown[],
  pattern: string,
): Promise<Run[]> {
  const pool = ctx.db.$client;
  const rows = await read<Omit<Run, 'task_runs'> & { version: number; is_shared: boolean }>(
    pool,
    RUNS,
    values,
  );
  const redactors = new Map<string, Redactor>();
  const runs: Run[] = [];
  for (const { is_shared: isShared, version, ...run } of rows) {
    const key = `${run.workflow_id} ${version}`;
    const redactor = redactors.get(key) ?? (await redactorOf(ctx, run.workflow_id, version));
    redactors.set(key, redactor);
    const taskRuns = await read<Run['task_runs'][number]>(pool, TASK_RUNS, [
      run.id,
      isShared ? pattern : null,
    ]);
    runs.push({ ...withInstants(run), task_runs: taskRuns.map((each) => withoutSecrets(each, redactor)) });
  }
  return runs;
}

/** Services may repeat the secrets of their request. */
async function redactorOf(
  ctx: Pick<ActorContext, 'db' | 'secrets' | 'workspaceId'>,
  workflowId: string,
  version: number,
): Promise<Redactor> {
  const found = await findVersion(ctx.db.$client, workflowId, version);
  return loadRedactor(ctx, { tasks: found?.graph.tasks ?? [] });
}

const withoutSecrets = <Row extends { run_text: string | null; output: string | null }>(
  row: Row,
  { text: clean, json }: Redactor,
): Row => ({
  ...row,
  run_text: row.run_text === null ? null : clean(row.run_text),
  output: row.output === null ? null : stringifyJson(json(parseJson(row.output))),
});
