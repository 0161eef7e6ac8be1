// Whether a message may leave. Asked right before each request, after it was recorded that the message is about to be sent
// (docs/decisions/sending.md).
import type { SecretBox } from '#lib/core/crypto/secret-box.ts';
import type { Pool } from '#lib/core/db/client.ts';
import { groupByPool } from '#lib/core/db/group-commit.ts';
import { createdAtMs } from '#lib/core/ids.ts';
import { type ErasedName, findErasedNames, openErasureKey } from '#lib/messaging/customers/erased-names.ts';
import type { ConsentPurpose, HoldSends } from '#lib/messaging/schema/consent-types.ts';
import { LIMIT_AS_JSON, type MarketingLimit, type MarketingPlace } from './marketing-limit.ts';
import { NAMES } from '#lib/messaging/customers/customer-zone.ts';
import { findQuietEnd, QUIET, type Quiet, type QuietEnd, TIMES } from './quiet-hours.ts';

/** What keeps messages from a customer; undefined in `findBlock`: nothing does. */
export interface Block {
  /** The widest purpose that the customer stopped; null: none. */
  stopped: ConsentPurpose | null;
  /** The customer is on hold; null: no. */
  hold: Hold | null;
  /** The customer was erased after the run began. */
  isErased?: boolean;
  /** How many marketing messages a customer gets; left out: any number. */
  marketingLimit?: MarketingLimit;
  /** The workspace has quiet hours. */
  quiet?: Quiet;
}

interface Hold {
  reason: string;
  until: Date | null;
  sends: HoldSends;
}

export interface Asked {
  workspaceId: string;
  /** A number or user id. */
  recipient: string;
  /** The run that sends; left out: none does. */
  runId?: string;
  secrets: SecretBox;
}

// `offset 0` and `limit 1` keep the planner from reading all rows of a workspace for each message, or of all workspaces for each
// batch, where statistics are missing: 7 ms a message instead of 0.1 with 100,000 customers of whom 50,000 stopped.

/** A workspace without a row of a table is asked nothing more about it. */
const FIND = `
select
  case when (select true from customer_consents c where c.workspace_id = asked.workspace_id limit 1) then (
    select min(stop.purpose) from (${NAMES}) as own(name) cross join lateral (
      select c.purpose from customer_consents c
      where c.workspace_id = asked.workspace_id and c.name = own.name and c.state = 'stopped' offset 0
    ) stop
  ) end as stopped,
  case when (select true from customer_holds h where h.workspace_id = asked.workspace_id limit 1) then (
    select json_build_object('reason', held.reason, 'until', held.until, 'sends', held.sends) from (${NAMES}) as own(name) cross join lateral (
      select h.reason, h.until, h.sends from customer_holds h
      where h.workspace_id = asked.workspace_id and h.name = own.name and (h.until is null or h.until > now()) offset 0
    ) held
    order by held.until desc nulls first limit 1
  ) end as hold,
  (
    select ${LIMIT_AS_JSON} from consent_settings s
    where s.workspace_id = asked.workspace_id and s.marketing_limit is not null offset 0
  ) as marketing_limit,
  ${QUIET} as quiet,
  erasure.key as erasure_key, case when erasure.key is not null then array(${NAMES}) end as names
from unnest($1::uuid[], $2::text[]) with ordinality as asked(workspace_id, recipient, place)
left join lateral (
  select k.key_encrypted as key from erasure_keys k where k.workspace_id = asked.workspace_id offset 0
) erasure on true
left join lateral (${TIMES} offset 0) times on true
order by asked.place`;

/**
 * What keeps messages from a recipient under any of their names. It starts after it was asked for, so that everything that was
 * committed before counts; those that a process asks for at the same time share a query.
 */
export const findBlock = (pool: Pool, asked: Asked): Promise<Block | undefined> =>
  blocksTogether(pool).add(asked);

interface FoundRow {
  stopped: ConsentPurpose | null;
  hold: { reason: string; until: string | null; sends: HoldSends } | null;
  marketing_limit: MarketingLimit | null;
  quiet: Quiet | null;
  /** Null: no customer was erased in the workspace. */
  erasure_key: string | null;
  names: string[] | null;
}

const blocksTogether = groupByPool(async (pool, asked: Asked[]) => {
  const { rows } = await pool.query<FoundRow>({
    name: 'find_blocks',
    text: FIND,
    values: [asked.map(({ workspaceId }) => workspaceId), asked.map(({ recipient }) => recipient)],
  });
  const erased = await findErased(pool, asked, rows);
  return rows.map(({ stopped, hold, marketing_limit: limit, quiet }, place): Block | undefined => {
    const { runId } = asked[place] ?? {};
    const name = erased[place];
    const isErased =
      name !== undefined && runId !== undefined && createdAtMs(runId) < name.erasedAt.getTime();
    const all = [stopped, name?.stopped ?? null];
    const widest = all.includes('all') ? 'all' : all.includes('marketing') ? 'marketing' : null;
    if (widest === null && hold === null && limit === null && quiet === null && !isErased) return undefined;
    return {
      stopped: widest,
      hold: hold && { ...hold, until: hold.until === null ? null : new Date(hold.until) },
      ...(isErased && { isErased }),
      ...(limit && { marketingLimit: limit }),
      ...(quiet && { quiet }),
    };
  });
});

/** What is known of recipients who were erased: they are only stored as hashes. */
async function findErased(
  pool: Pool,
  asked: readonly Asked[],
  rows: readonly FoundRow[],
): Promise<(ErasedName | undefined)[]> {
  const hashed = asked.map(({ workspaceId, secrets }, place) => {
    const { erasure_key: sealed = null, names = null } = rows[place] ?? {};
    if (sealed === null || names === null) return { workspaceId, names: [], key: Buffer.alloc(0) };
    return { workspaceId, names, key: openErasureKey(secrets, workspaceId, sealed) };
  });
  return findErasedNames(pool, hashed);
}

/** Why a message is not sent. */
export type Refusal =
  | { kind: 'stopped'; purpose: ConsentPurpose }
  | ({ kind: 'hold' } & Hold)
  | ({ kind: 'limited' } & MarketingLimit)
  | ({ kind: 'quiet' } & QuietEnd)
  | { kind: 'erased' };

export interface Outgoing {
  isTemplate: boolean;
  /** A person wrote it: holds, which are for workflows, do not suppress it. */
  isByPerson?: boolean;
  /** Of the message template: asked only where it may keep the message from leaving. Undefined: unknown, and treated as MARKETING. */
  findCategory: () => Promise<string | undefined>;
  /** Of a marketing message; it is given back where the message does not leave. */
  place: MarketingPlace;
}

/**
 * Why a message may not leave now; undefined: it may.
 * @param find finds what keeps messages from the recipient, each time it is called
 */
export async function findRefusal(
  find: () => Promise<Block | undefined>,
  { isTemplate, isByPerson = false, findCategory, place }: Outgoing,
): Promise<Refusal | undefined> {
  let isMarketing: boolean | undefined = isTemplate ? undefined : false;
  let isCounted = false;
  for (;;) {
    const { stopped = null, hold = null, isErased = false, marketingLimit, quiet } = (await find()) ?? {};
    if (isErased) return { kind: 'erased' };
    if (stopped === 'all') return { kind: 'stopped', purpose: 'all' };
    const quietEnd = quiet && findQuietEnd(quiet);
    if ((stopped === 'marketing' || marketingLimit || quietEnd) && isMarketing === undefined) {
      isMarketing = ((await findCategory()) ?? 'MARKETING').toUpperCase() === 'MARKETING';
      // That took time: what was found before is old.
      continue;
    }
    if (stopped === 'marketing' && isMarketing === true) return { kind: 'stopped', purpose: 'marketing' };
    if (hold && !isByPerson) return { kind: 'hold', ...hold };
    if (quietEnd && isMarketing === true) return { kind: 'quiet', ...quietEnd };
    if (!marketingLimit || isMarketing !== true || isCounted) return undefined;
    isCounted = await place.take(marketingLimit);
    if (!isCounted) return { kind: 'limited', ...marketingLimit };
    // That took time, too.
  }
}
