// The counts of the delivery report equal those of the messages themselves (docs/decisions/delivery-report.md).
import { LOWEST_ID } from '#lib/core/ids.ts';
import { countDueDays } from '#lib/messaging/reports/count-days.ts';
import { settles } from './check.ts';
import { openQueries } from './open-queries.ts';
import type { Product } from './product.ts';
import { untilItWorks } from './until-it-works.ts';

const COLUMNS = ['accepted', 'sent', 'delivered', 'read', 'failed', 'answered'];
const GROUP = 'workspace_id, day, phone_number_id, template_name, workflow_id';

const withStatus = (...statuses: string[]): string =>
  `count(*) filter (where status in (${statuses.map((status) => `'${status}'`).join()}))`;

/** Groups in which the report and the messages differ. */
const DIFFERENCES = `(
  select from (
    select ${GROUP}, ${COLUMNS.map((column) => `sum(${column})::int as ${column}`).join()} from message_days group by ${GROUP}
  ) counted full join (
    select workspace_id, (created_at at time zone 'utc')::date as day, phone_number_id, coalesce(template_name, '') as template_name,
      coalesce(workflow_id, '${LOWEST_ID}') as workflow_id, count(*)::int as accepted,
      ${withStatus('sent', 'delivered', 'read', 'played')}::int as sent, ${withStatus('delivered', 'read', 'played')}::int as delivered,
      ${withStatus('read', 'played')}::int as read, ${withStatus('failed')}::int as failed, count(answered_at)::int as answered
    from sent_messages where kind is not null group by 1, 2, 3, 4, 5
  ) raw using (${GROUP})
  where (${COLUMNS.map((column) => `counted.${column}`).join()}) is distinct from (${COLUMNS.map((column) => `raw.${column}`).join()})
) as different`;

/**
 * Counts messages for the report as the worker does, and compares. Statuses may still arrive: the counts have to be equal once.
 * @returns how many groups of day, number, message template and workflow differ in the end
 */
export async function checkReport(product: Pick<Product, 'db'>): Promise<number> {
  const { count, rowsOf } = openQueries(product);
  const differences = async (): Promise<number> => {
    await rowsOf('update counted_days set next_at = now()');
    await rowsOf('update counted_hours set next_at = now()');
    while (await untilItWorks(() => countDueDays({ pool: product.db.$client })));
    return count(DIFFERENCES);
  };
  await settles(differences);
  return differences();
}
