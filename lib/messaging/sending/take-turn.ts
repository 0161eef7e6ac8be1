// Rate limits for sending. Each number, and each pair of number and customer, has one row with the due time of its next message
// if all were evenly spaced; taking a turn advances it, in one statement, for all processes together.
import type { Pool } from '#lib/core/db/client.ts';
import type { SendLimits } from '#lib/messaging/platform/settings.ts';

export interface TurnRequest {
  phoneNumberId: string;
  recipient: string;
  /** The same at each attempt of one task run: a turn reserved for later is kept for it. */
  turnKey: string;
  /** No turn was reserved for it before. */
  isFirstAttempt: boolean;
  limits: SendLimits;
}

/** Maximum wait in the process; longer waits release it, and their turn is kept. */
const LONGEST_WAIT_MS = 4000;
/** Below the platform's burst, because its clock differs from ours. */
const BURST_SECONDS = 0.25;

/** `wait`: sleep, then send. `later`: retry then, the turn is kept. */
export type Turn = { kind: 'wait'; waitMs: number } | { kind: 'later'; seconds: number };

export async function takeTurn(pool: Pool, request: TurnRequest): Promise<Turn> {
  const kept = request.isFirstAttempt ? undefined : await fetchKeptTurn(pool, request.turnKey);
  const waitMs = kept ?? (await reserve(pool, request));
  if (waitMs <= LONGEST_WAIT_MS) return { kind: 'wait', waitMs };
  await pool.query({
    name: 'keep_turn',
    text: `insert into send_turns (turn_key, turn_at) values ($1, clock_timestamp() + make_interval(secs => $2))
           on conflict (turn_key) do update set turn_at = excluded.turn_at`,
    values: [request.turnKey, waitMs / 1000],
  });
  return { kind: 'later', seconds: waitMs / 1000 };
}

async function fetchKeptTurn(pool: Pool, turnKey: string): Promise<number | undefined> {
  const { rows } = await pool.query<{ wait_ms: number }>({
    name: 'fetch_turn',
    text: `delete from send_turns where turn_key = $1
           returning greatest(0, extract(epoch from turn_at - clock_timestamp()) * 1000)::float8 as wait_ms`,
    values: [turnKey],
  });
  return rows[0]?.wait_ms;
}

/** How far ahead of now the reservation is after taking the turn; `burst` turns of it are free. */
const RESERVE = `
insert into send_rates as rate (rate_key, next_at)
select key, statement_timestamp() + make_interval(secs => seconds) from unnest($1::text[], $2::float8[]) as asked(key, seconds)
on conflict (rate_key) do update
  set next_at = greatest(rate.next_at, statement_timestamp()) + (excluded.next_at - statement_timestamp())
returning rate_key, (extract(epoch from next_at - statement_timestamp()) * 1000)::float8 as ahead_ms`;

async function reserve(pool: Pool, { phoneNumberId, recipient, limits }: TurnRequest): Promise<number> {
  const perMessage = 1 / limits.messagesPerSecond;
  const phoneBurst = Math.max(1, Math.floor(limits.messagesPerSecond * BURST_SECONDS));
  // The pair is always locked first, so that statements cannot deadlock.
  const keys = [`pair:${phoneNumberId}:${recipient}`, `phone:${phoneNumberId}`];
  const freeMs = [limits.pairBurst * limits.pairRefillSeconds * 1000, phoneBurst * perMessage * 1000];
  const { rows } = await pool.query<{ rate_key: string; ahead_ms: number }>({
    name: 'take_turn',
    text: RESERVE,
    values: [keys, [limits.pairRefillSeconds, perMessage]],
  });
  const waits = rows.map((row) => row.ahead_ms - (freeMs[keys.indexOf(row.rate_key)] ?? 0));
  return Math.max(0, ...waits);
}
