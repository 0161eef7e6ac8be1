// The rate of a workspace applies to all web processes together: they lease requests from one bucket in the database
// (lib/webhooks/rate-limit.ts).
import type { Pool } from '#lib/core/db/client.ts';
import { GroupCommit } from '#lib/core/db/group-commit.ts';

export interface LeaseRequest {
  workspaceId: string;
  /** Number of requests. */
  wanted: number;
}

export interface Lease {
  /** The workspace's current limit; 0: none. */
  ratePerSecond: number;
  granted: number;
  /** The rest of the bucket, with fractions. */
  available: number;
}

export interface RateLeases {
  lease(request: LeaseRequest): Promise<Lease>;
  /** The current limits of workspaces; 0: none. */
  readRates(workspaceIds: readonly string[]): Promise<ReadonlyMap<string, number>>;
}

/** A bucket holds one second's requests: its row is inserted with granted and available ones that add up to it. */
const CAPACITY = '(excluded.available + excluded.granted)';
const FULL = `least(${CAPACITY}, b.available
  + ${CAPACITY} * greatest(0, extract(epoch from excluded.refilled_at - b.refilled_at))::float8)`;
const GRANTED = `floor(least(${FULL}, excluded.granted))`;

/** Rows are locked in the order of their ids, so that processes cannot deadlock. */
const LEASE = `
with asked as (
  select a.workspace_id, a.wanted, coalesce(w.webhook_rate_per_second, $3::int) as rate
  from unnest($1::uuid[], $2::int[]) as a(workspace_id, wanted) join workspaces w on w.id = a.workspace_id
), leased as (
  insert into webhook_rate_buckets as b (workspace_id, available, granted, refilled_at)
  select workspace_id, rate - least(wanted, rate), least(wanted, rate), clock_timestamp()
  from asked where rate > 0 order by workspace_id
  on conflict (workspace_id) do update set
    available = ${FULL} - ${GRANTED},
    granted = ${GRANTED},
    refilled_at = greatest(b.refilled_at, excluded.refilled_at)
  returning workspace_id, granted, available
)
select a.workspace_id, a.rate, coalesce(l.granted, 0)::int as granted, coalesce(l.available, 0) as available
from asked a left join leased l using (workspace_id)`;

const RATES = `
select id, coalesce(webhook_rate_per_second, $2::int) as rate from workspaces where id = any($1::uuid[])`;

interface LeaseRow {
  workspace_id: string;
  rate: number;
  granted: number;
  available: number;
}

/** @param defaultRatePerSecond of workspaces without their own; 0: no limit */
export function createRateLeases(pool: Pool, defaultRatePerSecond: number): RateLeases {
  const write = async (requests: LeaseRequest[]): Promise<Lease[]> => {
    const ids = requests.map(({ workspaceId }) => workspaceId);
    const wanted = requests.map((request) => request.wanted);
    const values = [ids, wanted, defaultRatePerSecond];
    const { rows } = await pool.query<LeaseRow>({ name: 'lease_rates', text: LEASE, values });
    const byId = new Map(rows.map((row) => [row.workspace_id, row]));
    return ids.map((id) => toLease(byId.get(id)));
  };
  const commits = new GroupCommit<LeaseRequest, Lease>(write, {
    maxBatch: 200,
    maxWeight: Infinity,
    weigh: () => 1,
    lanes: 1,
  });
  return {
    lease: (request) => commits.add(request),
    async readRates(workspaceIds) {
      const { rows } = await pool.query<{ id: string; rate: number }>({
        name: 'read_rates',
        text: RATES,
        values: [workspaceIds, defaultRatePerSecond],
      });
      return new Map(rows.map(({ id, rate }) => [id, rate]));
    },
  };
}

/** A deleted workspace has no limit: the intake refuses its token. */
const toLease = (row: LeaseRow | undefined): Lease => ({
  ratePerSecond: row?.rate ?? 0,
  granted: row?.granted ?? 0,
  available: row?.available ?? 0,
});
