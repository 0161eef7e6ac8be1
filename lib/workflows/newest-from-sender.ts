import { newestOfWorkflow } from './newest-of-workflow.ts';

/** At least one of this many is the sender's, unless somebody has tested or replayed a lot since. */
const LOOKED_AT = 20;

/**
 * SQL of a value over the newest events of a workflow's sender, without tests and replays. It uses the index over (workflow,
 * id).
 * @param workflow SQL of its id
 * @param value an aggregate of `e.received_at`
 * @param limit number of events to read, of all kinds
 * @param below SQL of an id: only events before it
 */
export const newestFromSender = (
  workflow: string,
  { value, limit, below }: { value: string; limit: number; below?: string },
): string => `
  select ${value}
  from (
    select e.received_at, e.kind, e.replay_of
    from events e ${newestOfWorkflow('e', workflow, below === undefined ? {} : { below })} limit ${limit}
  ) e
  where e.kind <> 'test' and e.replay_of is null`;

/** SQL of the instant, `at`, of the last event of a workflow's sender. */
export const lastFromSender = (workflow: string, below?: string): string =>
  newestFromSender(workflow, {
    value: 'max(e.received_at) as at',
    limit: LOOKED_AT,
    ...(below === undefined ? {} : { below }),
  });
