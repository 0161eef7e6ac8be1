import { LRUCache } from 'lru-cache';
import type { Pool } from '#lib/core/db/client.ts';
import { groupByPool } from '#lib/core/db/group-commit.ts';
import { AppError } from '#lib/core/errors.ts';
import type { MessagingContext } from '#lib/messaging/connections/context.ts';
import { chooseAccountId } from '#lib/messaging/connections/list-accounts.ts';
import { withAccessToken } from '#lib/messaging/connections/tokens/access-token.ts';
import { listDetailedTemplates } from '#lib/messaging/platform/templates.ts';
import { PlatformError } from '#lib/messaging/platform/platform-error.ts';
import type { TemplateFacts } from '#lib/messaging/schema/fact-types.ts';
import { describeTemplate } from './schema/describe-template.ts';

export interface TemplateAddress {
  connectionId: string;
  /** Empty: the connection's own. */
  businessAccountId: string;
  name: string;
  language: string;
}

interface Remembered {
  /** Time of the check, in milliseconds since 1970. */
  checkedAt: number;
  facts: TemplateFacts | undefined;
}

/** Account data may be large, and only changes with a check: a send reads one row to detect a change. */
const remembered = new LRUCache<string, Remembered>({ max: 2000 });

const FIND = `
select (extract(epoch from c.checked_at) * 1000)::bigint::text as "checkedAt",
  case when (extract(epoch from c.checked_at) * 1000)::bigint is distinct from asked.known then (
    select template from connection_facts f, json_array_elements(f.accounts) account,
      json_array_elements(account -> 'templates') template
    where f.connection_id = c.id and account ->> 'id' = coalesce(nullif(asked.account_id, ''), c.business_account_id)
      and template ->> 'name' = asked.name and template ->> 'language' = asked.language limit 1
  ) end as facts
from unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::text[], $6::bigint[])
  with ordinality as asked(workspace_id, connection_id, account_id, name, language, known, place)
left join connections c on c.workspace_id = asked.workspace_id and c.id = asked.connection_id
order by asked.place`;

type OwnedAddress = TemplateAddress & { workspaceId: string };

/** The platform's data about a message template from the last check of a connection; it is not queried. Undefined: unknown. */
export const findTemplateFacts = (
  { pool, workspaceId }: Pick<MessagingContext, 'workspaceId'> & { pool: Pool },
  address: TemplateAddress,
): Promise<TemplateFacts | undefined> => factsTogether(pool).add({ ...address, workspaceId });

const keyOf = ({ workspaceId, connectionId, businessAccountId, name, language }: OwnedAddress): string =>
  [workspaceId, connectionId, businessAccountId, name, language].join('\n');

const factsTogether = groupByPool(async (pool, addresses: OwnedAddress[]) => {
  const asked = new Map(addresses.map((address) => [keyOf(address), address]));
  const found = await readFacts(pool, asked);
  return addresses.map((address) => found.get(keyOf(address)));
});

async function readFacts(
  pool: Pool,
  asked: ReadonlyMap<string, OwnedAddress>,
): Promise<Map<string, TemplateFacts | undefined>> {
  const [keys, all] = [[...asked.keys()], [...asked.values()]];
  const known = keys.map((key) => remembered.get(key));
  const { rows } = await pool.query<{ checkedAt: string | null; facts: TemplateFacts | null }>({
    name: 'find_template_facts',
    text: FIND,
    values: [
      all.map(({ workspaceId }) => workspaceId),
      all.map(({ connectionId }) => connectionId),
      all.map(({ businessAccountId }) => businessAccountId),
      all.map(({ name }) => name),
      all.map(({ language }) => language),
      known.map((each) => each?.checkedAt ?? null),
    ],
  });
  const found = new Map<string, TemplateFacts | undefined>();
  for (const [place, key] of keys.entries()) {
    const { checkedAt: checked = null, facts = null } = rows[place] ?? {};
    if (checked === null) continue;
    const checkedAt = Number(checked);
    const before = known[place];
    const now = before?.checkedAt === checkedAt ? before.facts : (facts ?? undefined);
    remembered.set(key, { checkedAt, facts: now });
    found.set(key, now);
  }
  return found;
}

const MAX_SEARCHED = 6000;

/** The same from the platform, for a template that no check has found yet. Undefined: not found, or no answer. */
export async function askForTemplate(
  ctx: MessagingContext,
  { connectionId, businessAccountId, name, language }: TemplateAddress,
): Promise<TemplateFacts | undefined> {
  const isWanted = (each: { name: string; language: string }): boolean =>
    each.name === name && each.language === language;
  try {
    const accountId = await chooseAccountId(ctx, connectionId, businessAccountId || undefined);
    const [found] = await withAccessToken(ctx, connectionId, (access) =>
      listDetailedTemplates(access, accountId, { limit: MAX_SEARCHED, isWanted, name }),
    );
    return found && describeTemplate({ ...found, parameterFormat: found.parameter_format });
  } catch (error) {
    // Sending reports problems of connection, account or number.
    if (error instanceof PlatformError || error instanceof AppError) return undefined;
    throw error;
  }
}

/** The category of a message template; undefined: the platform does not return it either. */
export async function findCategory(
  ctx: MessagingContext & { pool: Pool },
  address: TemplateAddress,
): Promise<string | undefined> {
  const known = await findTemplateFacts(ctx, address);
  return known?.category ?? (await askForTemplate(ctx, address))?.category;
}
