// The platform counts management calls (everything but sending and files) per app and account, and returns how many are left.
import { GraphError } from '../graph-error.ts';
import type { GraphNode } from '../model.ts';
import { PRODUCT } from '../product.ts';
import { isStrict } from '../strict.ts';
import type { World } from '../world.ts';
import { accountIdOf } from './access.ts';
import type { GraphCall } from './graph-call.ts';

const HOUR_MS = 3_600_000;

/** Edges of phone numbers that have limits of their own. */
const OTHER_EDGES = new Set(['messages', 'media']);

/** Counts a call and sets the headers with the usage. Strict: throws 80007 when the hour's calls are used up. */
export function takeManagementCall(call: GraphCall, node: GraphNode, edge: string): void {
  const { world } = call;
  if (node.kind === 'business' || node.kind === 'message' || node.kind === 'media') return;
  if (OTHER_EDGES.has(edge)) return;
  const accountId = accountIdOf(world, node);
  const limit = limitOf(world, accountId);
  const now = world.clock.nowMs();
  const instants = (world.managementCalls.get(accountId) ?? []).filter((at) => at > now - HOUR_MS);
  world.managementCalls.set(accountId, instants);
  const isUsedUp = isStrict(world) && instants.length >= limit;
  if (instants.length < limit) instants.push(now);
  const regainMinutes = isUsedUp ? Math.ceil(((instants[0] ?? now) + HOUR_MS - now) / 60_000) : 0;
  setHeaders(call, accountId, Math.floor((instants.length / limit) * 100), regainMinutes);
  if (isUsedUp)
    throw new GraphError(80007, `There have been ${limit} calls to this account in the last hour.`, {
      retryAfterSeconds: regainMinutes * 60,
    });
}

/** More once the account has a number that is registered. */
function limitOf(world: World, accountId: string): number {
  const hasNumber = [...world.phones.values()].some(
    (phone) => phone.accountId === accountId && phone.status === 'CONNECTED',
  );
  const { management_calls_per_hour: full, management_calls_per_hour_unregistered: few } = world.settings;
  return hasNumber ? full : few;
}

function setHeaders({ headers }: GraphCall, accountId: string, percent: number, regainMinutes: number): void {
  const usage = { call_count: percent, total_cputime: 0, total_time: 0 };
  const ofAccount = { type: PRODUCT, ...usage, estimated_time_to_regain_access: regainMinutes };
  headers['x-app-usage'] = JSON.stringify(usage);
  headers['x-business-use-case-usage'] = JSON.stringify({ [accountId]: [ofAccount] });
}
