// Processes say that they are alive; what dead ones held is given back (graphile-worker's own lock lasts four hours).
import type { Logger } from 'pino';
import type { Pool } from '#lib/db/client.ts';
import { GIVE_BACK, GIVE_BACK_STRAYS, type GivenBack } from './give-back.ts';

const INTERVAL_MS = 1000;
/** A strays sweep reads the whole job table: 0.2 s where a million timers wait. */
const STRAYS_INTERVAL_MS = 60_000;

export interface HeartbeatOptions {
  pool: Pool;
  processId: string;
  kind: 'web' | 'worker';
  /** The id under which the job queue locks this process's jobs, once it is known. */
  jobPoolId: () => string | null;
  logger: Logger;
}

export interface Heartbeat {
  /** Beats now. Call it when the job pool's id becomes known: a process that is killed later is found by it. */
  beat(): Promise<void>;
  stop(): Promise<void>;
}

const BEAT = `
insert into processes (id, kind, job_pool_id, heartbeat_at) values ($1, $2, $3, now())
on conflict (id) do update set heartbeat_at = now(), job_pool_id = excluded.job_pool_id`;

/**
 * Beats every second and, for workers, gives back what dead processes held. Stop it last, when nothing is held:
 * whatever is still held then is given back as well.
 */
export async function startHeartbeat(options: HeartbeatOptions): Promise<Heartbeat> {
  const { pool, processId, kind, logger } = options;
  const sweep = createSweep(pool, logger);
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;
  let beating: Promise<void> = Promise.resolve();
  const beat = async (): Promise<void> => {
    await pool.query({ name: 'beat', text: BEAT, values: [processId, kind, options.jobPoolId()] });
  };
  const beatAndSweep = async (): Promise<void> => {
    await beat();
    if (kind === 'worker') await sweep();
  };
  const tick = (): void => {
    beating = beatAndSweep()
      .catch((error: unknown) => logger.warn({ err: error }, 'the heartbeat did not reach the database'))
      .finally(() => {
        if (!stopped) timer = setTimeout(tick, INTERVAL_MS);
      });
  };
  await beatAndSweep();
  timer = setTimeout(tick, INTERVAL_MS);
  return {
    beat,
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await beating;
      await pool.query(GIVE_BACK, [processId]).catch(() => undefined);
    },
  };
}

/** Gives back what dead processes held; now and then also what is held by processes that nobody knows. */
function createSweep(pool: Pool, logger: Logger): () => Promise<void> {
  let straysDueAtMs = 0;
  const run = async (query: { name: string; text: string; values?: unknown[] }): Promise<GivenBack> => {
    const { rows } = await pool.query<GivenBack>(query);
    const found = rows[0] ?? { pools: 0, runs: 0, unnamed: 0 };
    if (found.pools + found.runs > 0) logger.warn(found, 'gave back what stopped processes held');
    return found;
  };
  return async () => {
    const { unnamed } = await run({ name: 'give_back', text: GIVE_BACK, values: [null] });
    if (unnamed === 0 && performance.now() < straysDueAtMs) return;
    await run({ name: 'give_back_strays', text: GIVE_BACK_STRAYS });
    straysDueAtMs = performance.now() + STRAYS_INTERVAL_MS;
  };
}
