import type { Queryable } from '#lib/core/db/client.ts';
import { stringifyJson } from '#lib/core/json/stringify-json.ts';
import type { SignaledRun } from '#lib/engine/store/deliver-signals.ts';
import { moveWaits } from '#lib/engine/store/move-waits.ts';
import { CUSTOMER_KEYS, customerEnd } from './customer-key.ts';

/** A number or user id that a customer no longer has, and the one that they have instead. */
export interface ChangedName {
  from: string;
  to: string;
}

/**
 * Runs that wait for a customer under a name that has changed wait for the new one, at each number of the business.
 * @param client of the transaction that records the change, so that no answer falls in between
 * @returns these runs
 */
export const followCustomer = (
  client: Queryable,
  workspaceId: string,
  changed: readonly ChangedName[],
): Promise<SignaledRun[]> =>
  moveWaits(client, {
    workspaceId,
    prefix: CUSTOMER_KEYS,
    ends: changed.map(({ from, to }) => ({ from: customerEnd(from), to: customerEnd(to) })),
    note: stringifyJson({ kind: 'renamed', names: changed.map((each) => ({ ...each })) }),
  });
