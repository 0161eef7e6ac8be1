import type { Queryable } from '#lib/core/db/client.ts';
import type { Customer } from '#lib/messaging/customers/learn-customer.ts';
import type { RecordedChange } from './forward-changes.ts';
import { type Incoming, toIncomingMessage, toIncomingStatus } from './incoming.ts';
import type { Change, EchoChange, MessageChange, StatusChange } from './notification-types.ts';
import { type ChangeOwner, isSystem, recordEcho, recordMessage, recordStatus } from './record-change.ts';
import { tellWaitingRuns } from './tell-waiting-runs.ts';

type IncomingChange = MessageChange | StatusChange;

/**
 * Stores what changes say of customers, windows and sent messages, and gives it to the runs that wait for it.
 * @returns the changes in their order, each with the runs that took it
 */
export async function recordChanges(
  client: Queryable,
  owner: ChangeOwner,
  changes: readonly Change[],
): Promise<RecordedChange[]> {
  const customers = new Map<Change, Customer | null>();
  for (const change of changes.filter(isOfCustomer).toSorted(byRow))
    customers.set(change, await record(client, owner, change));
  const waited = changes.filter(isIncoming).filter((change) => !isAboutCustomer(change));
  const now = withNamesNow([...customers.values()]);
  const takers = await tellWaitingRuns(
    client,
    waited.map((change) => toIncoming(owner, change, now(customers.get(change) ?? null))),
  );
  return changes.map((change) => ({
    change,
    takenBy: isAboutCustomer(change)
      ? (customers.get(change)?.followedBy ?? [])
      : (takers[waited.indexOf(change as IncomingChange)] ?? []),
  }));
}

function record(
  client: Queryable,
  owner: ChangeOwner,
  change: IncomingChange | EchoChange,
): Promise<Customer | null> {
  if (change.kind === 'message') return recordMessage(client, owner, change);
  return change.kind === 'echo' ? recordEcho(client, owner, change) : recordStatus(client, owner, change);
}

/** What runs that wait have followed already: no answer. */
const isAboutCustomer = (change: Change): boolean => change.kind === 'message' && isSystem(change);

/** A notification may report what a customer wrote under a name together with its change: runs wait for the new one by then. */
function withNamesNow(
  customers: readonly (Customer | null)[],
): (customer: Customer | null) => Customer | null {
  const changed = new Map(
    customers.flatMap((each) => each?.changed ?? []).map(({ from, to }) => [from, to] as const),
  );
  return (customer) =>
    customer && {
      ...customer,
      names: customer.names.flatMap((name) => {
        const next = changed.get(name);
        return next === undefined ? [name] : [name, next];
      }),
    };
}

const isIncoming = (change: Change): change is IncomingChange =>
  change.kind === 'message' || change.kind === 'status';

const isOfCustomer = (change: Change): change is IncomingChange | EchoChange =>
  isIncoming(change) || change.kind === 'echo';

/** Rows of customers and messages are reached in the same order by all, so that transactions wait and never deadlock. */
const byRow = (a: IncomingChange | EchoChange, b: IncomingChange | EchoChange): number =>
  rowOf(a) < rowOf(b) ? -1 : 1;
const rowOf = (change: IncomingChange | EchoChange): string =>
  `${change.kind === 'message' ? change.from : change.recipient} ${change.key}`;

const toIncoming = (owner: ChangeOwner, change: IncomingChange, customer: Customer | null): Incoming =>
  change.kind === 'message'
    ? toIncomingMessage(owner, change, customer)
    : toIncomingStatus(owner, change, customer);
