import { LRUCache } from 'lru-cache';
import type { Pool } from '#lib/core/db/client.ts';
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
  case when (extract(epoch from c.checked_at) * 1000)::bigint is distinct from $6::bigint then (
    select template from connection_facts f, json_array_elements(f.accounts) account,
      json_array_elements(account -> 'templates') template
    where f.connection_id = c.id and account ->> 'id' = coalesce(nullif($3, ''), c.business_account_id)
      and template ->> 'name' = $4 and template ->> 'language' = $5 limit 1
  ) end as facts
from connections c where c.workspace_id = $1 and c.id = $2`;

/** The platform's data about a message template from the last check of a connection; it is not queried. Undefined: unknown. */
export async function findTemplateFacts(
  { db, workspaceId }: Pick<MessagingContext, 'workspaceId'> & { db: { $client: Pool } },
  { connectionId, businessAccountId, name, language }: TemplateAddress,
): Promise<TemplateFacts | undefined> {
  const key = [workspaceId, connectionId, businessAccountId, name, language].join('\n');
  const known = remembered.get(key);
  const { rows } = await db.$client.query<{ checkedAt: string | null; facts: TemplateFacts | null }>({
    name: 'find_template_facts',
    text: FIND,
    values: [workspaceId, connectionId, businessAccountId, name, language, known?.checkedAt ?? null],
  });
  const [row] = rows;
  if (!row || row.checkedAt === null) return undefined;
  const checkedAt = Number(row.checkedAt);
  if (known?.checkedAt === checkedAt) return known.facts;
  const facts = row.facts ?? undefined;
  remembered.set(key, { checkedAt, facts });
  return facts;
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
