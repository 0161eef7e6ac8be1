// A web and a worker process on a separate database, for overloading them.
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Database, openDatabase } from '#lib/core/db/client.ts';
import { isOpenRunSql } from '#lib/engine/run-statuses.ts';
import { BreakableDatabase } from '#lib/testing/breakable-database.ts';
import { insertWorkflow } from '#lib/testing/insert-workflow.ts';
import { readProcessTimes } from '#lib/testing/process-times.ts';
import { type Product, type StartedPart, startProduct } from '../../server/testing/product.ts';
import { Begun } from '../on-stop.ts';
import { insertConnection, subscribeToMessages } from '../webhooks/connection.ts';
import { APP_SECRET } from '../webhooks/platform-notification.ts';
import { ECHO, FIVE_TASKS } from '../workflows.ts';
import type { Acknowledged } from './flood.ts';

const IDLE_MS = 1000;

export class Target {
  readonly db: Database;
  /**
   * URLs of a workflow with five tasks, of the same in a workspace with a rate limit, of one that responds with its `text`, and of
   * the receiver of notifications, whose messages the last one is subscribed to.
   */
  readonly urls: { five: string; limited: string; echo: string; notifications: string };
  readonly #begun: Begun;
  readonly #product: Product;
  readonly #web: StartedPart;

  private constructor(begun: Begun, db: Database, urls: Target['urls'], product: Product, web: StartedPart) {
    this.#begun = begun;
    this.db = db;
    this.urls = urls;
    this.#product = product;
    this.#web = web;
  }

  /**
   * All of it is stopped on SIGTERM and SIGINT, too.
   * @param ratePerSecond of the workspace whose rate is limited
   * @param say gets the output of the build
   */
  static async start(
    folder: string,
    {
      ratePerSecond,
      settings = {},
      say,
    }: { ratePerSecond: number; settings?: Record<string, string>; say?: (line: string) => void },
  ): Promise<Target> {
    const begun = new Begun();
    const database = await BreakableDatabase.start(join(folder, 'postgres'));
    begun.add(() => database.stop());
    const db = openDatabase(database.url, { maxConnections: 2, name: 'overload' });
    begun.add(() => db.$client.end());
    const five = await insertWorkflow(db.$client, FIVE_TASKS);
    const limited = await insertWorkflow(db.$client, FIVE_TASKS);
    const echo = await insertWorkflow(db.$client, ECHO);
    const { connectionId, path } = await insertConnection(db.$client, echo.workspaceId);
    await subscribeToMessages(db.$client, connectionId, echo.workflowId);
    await db.$client.query('update workspaces set webhook_rate_per_second = $1 where id = $2', [
      ratePerSecond,
      limited.workspaceId,
    ]);
    const product = await startProduct({
      databaseUrl: database.url,
      parts: ['worker'],
      settings: { LOG_LEVEL: 'error', MESSAGING_APP_SECRET: APP_SECRET, ...settings },
      sandbox: false,
      ...(say && { say }),
    });
    begun.add(() => product.stop());
    const web = await product.start('web');
    const urlOf = (token: string): string => `${product.base}/webhook/${token}`;
    const urls = {
      five: urlOf(five.token),
      limited: urlOf(limited.token),
      echo: urlOf(echo.token),
      notifications: product.base + path,
    };
    return new Target(begun, db, urls, product, web);
  }

  /** Number of these events and messages without a succeeded run. */
  async countMissing({ eventIds, messageIds }: Acknowledged): Promise<number> {
    const { rows } = await this.db.$client.query<{ missing: number }>(
      `with acknowledged as (
         select e.run_id from unnest($1::uuid[]) as a(id) left join events e using (id)
         union all
         select m.run_id from unnest($2::text[]) as a(message_id) left join received_messages m using (message_id)
       )
       select count(*)::int as missing from acknowledged a left join runs r on r.id = a.run_id and r.status = 'succeeded'
       where r.id is null`,
      [eventIds, messageIds],
    );
    return rows[0]?.missing ?? eventIds.length + messageIds.length;
  }

  /** Durations of these events' runs, from their webhook to their end, in milliseconds; Infinity for open ones. */
  async runMs(eventIds: readonly string[]): Promise<number[]> {
    const { rows } = await this.db.$client.query<{ ms: number | null }>(
      `select extract(epoch from r.finished_at - r.created_at)::float8 * 1000 as ms
       from unnest($1::uuid[]) with ordinality as a(id, n) left join events e using (id) left join runs r on r.id = e.run_id order by n`,
      [eventIds],
    );
    return rows.map(({ ms }) => ms ?? Infinity);
  }

  /** Settles when no webhook has arrived, and no run was open, for a second. */
  async untilIdle(): Promise<void> {
    let [idleSince, seen] = [performance.now(), -1];
    while (performance.now() - idleSince < IDLE_MS) {
      const { rows } = await this.db.$client.query<{ unfinished: boolean; seen: number }>(
        `select exists (select from runs where ${isOpenRunSql('status')}) as unfinished,
           count(*)::int as seen from events`,
      );
      const [now] = rows;
      if (!now || now.unfinished || now.seen !== seen) idleSince = performance.now();
      seen = now?.seen ?? -1;
      await sleep(IDLE_MS / 10);
    }
  }

  /** Processor time of the web process so far. */
  get webSeconds(): number {
    return readProcessTimes(this.#web.pid).ownSeconds;
  }

  /** Whether both processes are the ones that were started. */
  get isAlive(): boolean {
    return this.#product.isAlive();
  }

  end(): Promise<void> {
    return this.#begun.end();
  }
}
