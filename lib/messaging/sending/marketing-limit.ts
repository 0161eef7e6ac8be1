// "At most N marketing messages in M days" for a customer: each one takes a place before it leaves, which is given back where it did
// not leave. A lock of the customer lets one message after the other count, so that two runs cannot both take the last place.
import { inTransaction, type Pool } from '#lib/core/db/client.ts';
import { retryWhileUnavailable } from '#lib/core/db/database-unavailable.ts';
import { AppError } from '#lib/core/errors.ts';
import { newId } from '#lib/core/ids.ts';
import { TaskError } from '#lib/engine/task-executor.ts';
import { namesOfCustomer } from '#lib/messaging/customers/customer-names.ts';
import { PlatformError } from '#lib/messaging/platform/platform-error.ts';

export interface MarketingLimit {
  /** Of a customer, at most. */
  messages: number;
  days: number;
}

/** SQL of the limit of a row `s` of `consent_settings`. */
export const LIMIT_AS_JSON = `case when s.marketing_limit is not null
    then json_build_object('messages', s.marketing_limit, 'days', s.marketing_limit_days) end`;

/** "This customer already got 2 marketing messages in 7 days." */
export const describeLimit = ({ messages, days }: MarketingLimit): string =>
  `This customer already got ${messages} marketing ${messages === 1 ? 'message' : 'messages'} in ${days} ${days === 1 ? 'day' : 'days'}.`;

/** All who send to the customer lock the first of their names. */
const LOCK = `
select names, pg_advisory_xact_lock(hashtextextended(concat($1::text, ' ', names[1]), 0)) from (
  select array(select name from (${namesOfCustomer('$1::uuid', '$2::text')}) own(name) group by name order by name) as names
) customer`;

/** Those that failed are not counted. It is separate from the lock, so that it sees what was committed before that. */
const TAKE = `
insert into marketing_places (id, workspace_id, name, taken_at)
select $1, $2, ($3::text[])[1], clock_timestamp() where $4 > (
  select count(*) from marketing_places p
  left join sent_messages s on s.workspace_id = p.workspace_id and s.message_id = p.message_id
  where p.workspace_id = $2 and p.name = any($3::text[]) and p.taken_at > clock_timestamp() - make_interval(days => $5)
    and s.status is distinct from 'failed'
)`;

/** Refused by the platform, or before the request. */
const didNotLeave = (error: unknown): boolean =>
  error instanceof PlatformError
    ? error.kind !== 'lost_answer'
    : error instanceof TaskError || error instanceof AppError;

/** The place of one message of a task run or a member. */
export class MarketingPlace {
  readonly #pool: Pool;
  readonly #customer: { workspaceId: string; recipient: string };
  #id: string | undefined;

  constructor(pool: Pool, customer: { workspaceId: string; recipient: string }) {
    this.#pool = pool;
    this.#customer = customer;
  }

  /** Takes a place, if it has none. @returns false: the customer already got as many messages as the limit allows */
  async take({ messages, days }: MarketingLimit): Promise<boolean> {
    if (this.#id !== undefined) return true;
    const { workspaceId, recipient } = this.#customer;
    const id = newId();
    const isTaken = await inTransaction(this.#pool, async (client) => {
      const { rows } = await client.query<{ names: string[] }>({
        name: 'lock_marketing_places',
        text: LOCK,
        values: [workspaceId, recipient],
      });
      const values = [id, workspaceId, rows[0]?.names ?? [recipient], messages, days];
      const taken = await client.query({ name: 'take_marketing_place', text: TAKE, values });
      return taken.rowCount === 1;
    });
    if (isTaken) this.#id = id;
    return isTaken;
  }

  /** Sends the message. Where it certainly did not leave, the place is given back; where the outcome is unknown, it counts. */
  async holdFor<Sent extends { messageId: string }>(send: () => Promise<Sent>): Promise<Sent> {
    const sent = await send().catch(async (error: unknown) => {
      if (didNotLeave(error)) await this.#note('delete from marketing_places where id = $1', []);
      this.#id = undefined;
      throw error;
    });
    // One that fails later is not counted.
    await this.#note('update marketing_places set message_id = $2 where id = $1', [sent.messageId]);
    return sent;
  }

  /** Never throws: the send is as it is, and at worst a message counts that need not. */
  async #note(statement: string, values: string[]): Promise<void> {
    const id = this.#id;
    if (id === undefined) return;
    await retryWhileUnavailable(() => this.#pool.query(statement, [id, ...values])).catch(() => undefined);
  }
}
