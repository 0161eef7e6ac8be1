// Checks the rows of a list, a batch at a time: numbers, duplicates, consent and, at the end, the messaging limit of the number.
import { type CountryCode, parsePhoneNumberFromString } from 'libphonenumber-js/min';
import { inTransaction, type Queryable } from '#lib/core/db/client.ts';
import { findBlock } from '#lib/messaging/sending/find-blocks.ts';
import { readRecipient } from '#lib/messaging/sending/recipient.ts';
import {
  findTierLeft,
  listCategories,
  type ListRuntime,
  listTasks,
  readPublished,
  senderOf,
} from './sender.ts';
import type { ListMapping, SkipReason } from './schema.ts';

const ROWS_AT_ONCE = 1000;

interface CheckedList {
  workspace_id: string;
  workflow_id: string;
  columns: string[];
  mapping: ListMapping;
  checked_line: number;
  starts_checked: boolean;
}

interface UncheckedRow {
  line: number;
  data: unknown[];
}

interface Verdict {
  line: number;
  recipient: string | null;
  skipped: SkipReason | null;
}

/** Checks the next rows of a list; after the last it is ready, or starts. */
export async function checkRows(runtime: ListRuntime, id: string): Promise<void> {
  await inTransaction(runtime.db.$client, async (client) => {
    const list = await lockChecking(client, id);
    if (!list) return;
    const { rows } = await client.query<UncheckedRow>(
      'select line, data from send_list_rows where list_id = $1 and line > $2 order by list_id, line limit $3',
      [id, list.checked_line, ROWS_AT_ONCE],
    );
    if (rows.length === 0) return finish(runtime, client, id, list);
    await store(client, id, await check(runtime, client, { id, list, rows }));
    await client.query('update send_lists set checked_line = $2 where id = $1', [id, rows.at(-1)?.line]);
  });
}

async function lockChecking(client: Queryable, id: string): Promise<CheckedList | undefined> {
  const { rows } = await client.query<CheckedList>(
    `select workspace_id, workflow_id, columns, mapping, checked_line, starts_checked from send_lists
     where id = $1 and state = 'checking' for update`,
    [id],
  );
  return rows[0];
}

async function check(
  { hot, secrets }: ListRuntime,
  client: Queryable,
  { id, list, rows }: { id: string; list: CheckedList; rows: readonly UncheckedRow[] },
): Promise<Verdict[]> {
  const { workspace_id: workspaceId, columns, mapping } = list;
  const column = columns.indexOf(mapping.recipient);
  const read = rows.map(({ line, data }) => ({ line, recipient: readNumber(data[column], mapping) }));
  const seen = await findSeen(client, id, list.checked_line, read);
  const isMarketing = (
    await listCategories(
      { pool: hot, workspaceId },
      await listTasks(hot, list.workflow_id, await readPublished(hot, list.workflow_id)),
    )
  ).includes('MARKETING');
  return Promise.all(
    read.map(async ({ line, recipient }): Promise<Verdict> => {
      if (recipient === undefined) return { line, recipient: null, skipped: 'invalid' };
      if (seen.has(recipient)) return { line, recipient, skipped: 'duplicate' };
      seen.add(recipient);
      const block = await findBlock(hot, { workspaceId, recipient, secrets });
      const isStopped = block?.stopped === 'all' || (isMarketing && block?.stopped === 'marketing');
      if (isStopped) return { line, recipient, skipped: 'opted_out' };
      return { line, recipient, skipped: block?.hold ? 'on_hold' : null };
    }),
  );
}

/** Those of earlier rows. */
async function findSeen(
  client: Queryable,
  id: string,
  before: number,
  read: readonly { recipient: string | undefined }[],
): Promise<Set<string>> {
  const { rows } = await client.query<{ recipient: string }>(
    'select distinct recipient from send_list_rows where list_id = $1 and recipient = any($2::text[]) and line <= $3',
    [id, read.flatMap(({ recipient }) => recipient ?? []), before],
  );
  return new Set(rows.map(({ recipient }) => recipient));
}

/** The number as the platform writes it, or a user id; undefined: neither. */
export function readNumber(
  value: unknown,
  { default_country: country }: Pick<ListMapping, 'default_country'>,
): string | undefined {
  const text = typeof value === 'number' || typeof value === 'string' ? String(value).trim() : '';
  if (text === '') return undefined;
  const local = country !== null && !text.startsWith('+') && !text.startsWith('00');
  const written = local ? text : text.replace(/^00/, '+');
  const found = local ? parsePhoneNumberFromString(written, country as CountryCode) : undefined;
  if (found) return found.isPossible() ? found.number.slice(1) : undefined;
  const reading = readRecipient(written);
  if (reading.problem !== undefined) return undefined;
  const { id } = reading.value;
  return /^\d/.test(id) && parsePhoneNumberFromString(`+${id}`)?.isPossible() !== true ? undefined : id;
}

const store = async (client: Queryable, id: string, verdicts: readonly Verdict[]): Promise<void> =>
  void (await client.query({
    name: 'store_checked_rows',
    text: `update send_list_rows r set recipient = t.recipient, skipped = t.skipped,
             state = case when t.skipped is null then 'waiting' else 'skipped' end
           from unnest($2::int[], $3::text[], $4::text[]) as t(line, recipient, skipped)
           where r.list_id = $1 and r.line = t.line`,
    values: [
      id,
      verdicts.map(({ line }) => line),
      verdicts.map(({ recipient }) => recipient),
      verdicts.map(({ skipped }) => skipped),
    ],
  }));

async function finish(
  { db, hot }: ListRuntime,
  client: Queryable,
  id: string,
  list: CheckedList,
): Promise<void> {
  const { workspace_id: workspaceId, workflow_id: workflowId } = list;
  const version = await readPublished(hot, workflowId);
  const sender = senderOf(await listTasks(hot, workflowId, version));
  const left = await findTierLeft({ db, workspaceId }, sender);
  if (left !== null) {
    await client.query(
      `update send_list_rows set state = 'skipped', skipped = 'over_tier' where list_id = $1 and state = 'waiting' and line > (
         select coalesce(max(line), 0) from (
           select line from send_list_rows where list_id = $1 and state = 'waiting' order by list_id, state, line limit $2
         ) fitting)`,
      [id, left],
    );
  }
  const starts = list.starts_checked && version !== null;
  await client.query(
    `update send_lists set state = $2, starts_checked = false, work_at = case when $2 = 'running' then now() end,
       started_at = case when $2 = 'running' then coalesce(started_at, now()) end, paced_at = now(), settled_line = 0,
       connection_id = $3, phone_number_id = $4, problem = null where id = $1`,
    [id, starts ? 'running' : 'ready', sender?.connectionId ?? null, sender?.phoneNumberId ?? null],
  );
}
