import { sql, type SQL } from 'drizzle-orm';

/** SQL: every name of the customer who has this one, the name itself among them. */
export const namesOfCustomer = (workspaceId: string, name: string): SQL => sql`
  select ${name}::text
  union all
  select n.name from customer_names n
  where n.workspace_id = ${workspaceId} and n.customer_id = (
    select k.customer_id from customer_names k where k.workspace_id = ${workspaceId} and k.name = ${name})`;
