// Whether each message that was asked for was sent once and recorded once, with each of its statuses once.
import type { Pool } from '#lib/core/db/client.ts';

/** As the platform accepted it. */
export interface LoggedMessage {
  id: string;
  /** The customer. */
  to: string;
}

/** As Patchbay has it. */
export interface RecordedMessage {
  id: string;
  to: string;
  /** In the order in which they were stored, those of the send left out. */
  statuses: string[];
}

/** Recorded messages of a workspace that has only one connection. */
export async function readRecorded(pool: Pool): Promise<RecordedMessage[]> {
  const { rows } = await pool.query<RecordedMessage>(
    `select message_id as id, recipient as to,
       array(select step ->> 'status' from json_array_elements(timeline) step where step ->> 'status' <> 'accepted') as statuses
     from sent_messages`,
  );
  return rows;
}

/** @returns a sentence for each kind of problem, with the number of messages that have it and one of them; empty: there is none */
export function findProblems(
  recipients: readonly string[],
  logged: readonly LoggedMessage[],
  recorded: readonly RecordedMessage[],
  statuses: readonly string[],
): string[] {
  const known = new Map(recorded.map((each) => [each.id, each]));
  const sends = countBy(logged.map(({ to }) => to));
  const asked = new Set(recipients);
  const statusesOf = (id: string): ReadonlyMap<string, number> => countBy(known.get(id)?.statuses ?? []);
  const found: Record<string, readonly string[]> = {
    'not sent': recipients.filter((to) => !sends.has(to)),
    'sent twice': recipients.filter((to) => (sends.get(to) ?? 0) > 1),
    'sent without being asked for': [...sends.keys()].filter((to) => !asked.has(to)),
    'not recorded': logged.filter(({ id, to }) => known.get(id)?.to !== to).map(({ id }) => id),
    ...Object.fromEntries(
      statuses.flatMap((status) => [
        [
          `without the status ${status}`,
          logged.filter(({ id }) => !statusesOf(id).has(status)).map(({ id }) => id),
        ],
        [
          `with the status ${status} twice`,
          logged.filter(({ id }) => (statusesOf(id).get(status) ?? 0) > 1).map(({ id }) => id),
        ],
      ]),
    ),
  };
  return Object.entries(found).flatMap(([problem, [first, ...more]]) =>
    first === undefined ? [] : [`${more.length + 1} ${problem}, such as ${first}`],
  );
}

function countBy(values: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return counts;
}
