// Messages that are not sent, or not now: the customer stopped them or was erased, a person takes care of the customer, or it is
// quiet hours where they are.
import { isJsonObject, type JsonValue } from '#lib/core/json/value.ts';
import type { Pool } from '#lib/core/db/client.ts';
import { retryWhileUnavailable } from '#lib/core/db/database-unavailable.ts';
import { localTime } from '#lib/core/time/hours.ts';
import { type Resumption, type TaskContext, TaskError, type TaskResult } from '#lib/engine/task-executor.ts';
import { countEarlier, findHoldEnd, holdKey, quietKey } from '#lib/messaging/consent/hold-waits.ts';
import {
  type Asked,
  findBlock,
  findRefusal,
  type Outgoing,
  type Refusal,
} from '#lib/messaging/sending/find-blocks.ts';
import { describeLimit } from '#lib/messaging/sending/marketing-limit.ts';
import { readQuietEnd } from '#lib/messaging/sending/quiet-hours.ts';
import { CUSTOMER_STOPPED } from './delivery/exits.ts';

const STOPPED = 'customer_stopped';
const ON_HOLD = 'customer_on_hold';
const ERASED = 'customer_erased';
const LIMITED = 'marketing_limit_reached';
const QUIET = 'quiet_hours';

/** Whether it is because of a hold, which ends. */
export const isHeld = (error: unknown): boolean => error instanceof TaskError && error.code === ON_HOLD;

/** The error of a task whose message is not sent. */
function toSuppressed(refusal: Refusal, recipient: string): TaskError {
  if (refusal.kind === 'hold') {
    const { reason, until } = refusal;
    if (refusal.sends === 'wait') return new SendLaterError(ON_HOLD, recipient, 'The customer is on hold.');
    const end = until === null ? 'until the hold is released' : `until ${until.toISOString()}`;
    const why = reason === '' ? '' : ` Reason: ${reason.replace(/[.\s]+$/, '')}.`;
    return new TaskError(
      ON_HOLD,
      `Customer on hold: workflows do not send to this customer ${end}.${why} The message was not sent. Release the hold, then retry the run.`,
      { details: { until: until?.toISOString() ?? null, reason } },
    );
  }
  if (refusal.kind === 'quiet')
    return new SendLaterError(QUIET, recipient, 'It is quiet hours where the customer is.');
  if (refusal.kind === 'erased')
    return new TaskError(
      ERASED,
      'Customer erased: this run began before the data of this customer was erased. The message was not sent.',
    );
  if (refusal.kind === 'limited') {
    const { messages, days } = refusal;
    const details = { purpose: 'marketing', messages, days };
    return new TaskError(LIMITED, `${describeLimit(refusal)} The message was not sent.`, { details });
  }
  const { purpose } = refusal;
  const what =
    purpose === 'all'
      ? 'The customer stopped all messages.'
      : 'The customer stopped marketing messages, and the category of this template is MARKETING or unknown.';
  const fix =
    purpose === 'all'
      ? 'Send again only after the customer agrees, and record their consent.'
      : 'Use a utility template, or record the customer’s consent first.';
  return new TaskError(STOPPED, `Customer stopped: ${what} The message was not sent. ${fix}`, {
    details: { purpose },
  });
}

interface Recorded {
  /** Asked after the record, so that what is committed before the record counts. Where it throws, whatever it is, nothing is sent. */
  assertAllowed?: (() => Promise<void>) | undefined;
  /** Whether an error of the call shows that nothing left. */
  hadNoEffect: (error: unknown) => boolean;
}

/**
 * Records the side effect right before a request; of one that was not sent the record is withdrawn.
 * @param send awaits its argument once the connection is established, and sends then
 */
export async function sendRecorded<Result>(
  task: Pick<TaskContext, 'recordSideEffect' | 'withdrawSideEffect'>,
  send: (beforeSending: () => Promise<void>) => Promise<Result>,
  { assertAllowed, hadNoEffect }: Recorded,
): Promise<Result> {
  let wasStopped = false;
  try {
    return await send(async () => {
      await task.recordSideEffect();
      await assertAllowed?.().catch((error: unknown) => {
        wasStopped = true;
        throw error;
      });
    });
  } catch (error) {
    if (wasStopped || hadNoEffect(error)) await task.withdrawSideEffect();
    throw error;
  }
}

/**
 * What it reads is read again while the database is unavailable.
 * @throws TaskError while the customer is on hold or has quiet hours, was erased, has stopped messages of this kind, or got as many as allowed
 */
export async function assertMaySend(pool: Pool, asked: Asked, outgoing: Outgoing): Promise<void> {
  const refusal = await findRefusal(() => retryWhileUnavailable(() => findBlock(pool, asked)), {
    ...outgoing,
    findCategory: () => retryWhileUnavailable(outgoing.findCategory),
  });
  if (refusal) throw toSuppressed(refusal, asked.recipient);
}

/** By the register, by the platform alone (131050), or because the customer got as many marketing messages as the workspace allows. */
const isStopped = (error: unknown): error is TaskError =>
  error instanceof TaskError && [STOPPED, LIMITED, 'customer_opted_out'].includes(error.code);

/** The message waits for the end of a hold, or of quiet hours. */
class SendLaterError extends TaskError {
  readonly recipient: string;

  constructor(code: typeof ON_HOLD | typeof QUIET, recipient: string, message: string) {
    super(code, message);
    this.recipient = recipient;
  }
}

/** A send, and what its output is when it is not sent. */
interface Send<Settings> {
  send: (task: TaskContext<Settings>) => Promise<TaskResult>;
  /** Left out: that of the error. */
  outputOf?: (error: TaskError) => JsonValue | undefined;
}

/**
 * Executes a send. Where the customer stopped such messages, it leaves by an exit of its own, if something is connected to it.
 * Where the customer is on a hold that messages wait for, or has quiet hours, the run waits for their end, and the send is executed
 * again as it was.
 * @throws TaskError
 */
export async function executeSend<Settings>(
  task: TaskContext<Settings>,
  pool: Pool,
  { send, outputOf = (error) => error.output }: Send<Settings>,
): Promise<TaskResult> {
  const held = readHeld(task.resumed?.memory);
  if (held || task.hasOpenWait === true) await waitBehindEarlier(task, pool);
  const resumed = held ? toResumed(held, task.resumed) : task.resumed;
  for (;;) {
    try {
      return await send({ ...task, resumed });
    } catch (error) {
      if (error instanceof SendLaterError) {
        const waiting = await waitForEnd(task, pool, { error, resumed });
        if (waiting) return { ...waiting, output: outputOf(error) ?? null };
        continue;
      }
      if (!isStopped(error) || !task.hasExit(CUSTOMER_STOPPED.name)) throw error;
      await resumed?.stopListening();
      return toStopped(error, outputOf(error));
    }
  }
}

function toStopped(error: TaskError, output: JsonValue | undefined): TaskResult {
  const { purpose = 'marketing' } = isJsonObject(error.details) ? error.details : {};
  return {
    kind: 'done',
    branch: CUSTOMER_STOPPED.name,
    output: { ...(isJsonObject(output) ? output : {}), stopped: purpose },
    runText: error.message,
  };
}

/** The longest time until a waiting run looks again without a signal. */
const LOOK_AGAIN_MS = 3_600_000;

/** @returns undefined: it has ended since then, and no run waited for the same hold before this one */
async function waitForEnd(
  task: Pick<TaskContext, 'listen' | 'recordWait' | 'workspaceId' | 'runId' | 'taskId' | 'iteration' | 'now'>,
  pool: Pool,
  { error, resumed }: { error: SendLaterError; resumed: Resumption | undefined },
): Promise<(TaskResult & { kind: 'listen' }) | undefined> {
  const isQuiet = error.code === QUIET;
  task.listen({ key: (isQuiet ? quietKey : holdKey)(error.recipient), rule: 'all' });
  await task.recordWait();
  const asked = { workspaceId: task.workspaceId, recipient: error.recipient };
  const wait = isQuiet ? await findQuietWait(pool, asked) : await findHoldWait(pool, asked, task);
  const before = resumed && { signals: [...resumed.signals], memory: resumed.memory };
  return wait && { kind: 'listen', ...wait, memory: { held: before ?? {} }, output: null };
}

type Customer = Pick<Asked, 'workspaceId' | 'recipient'>;
type Wait = Pick<TaskResult & { kind: 'listen' }, 'until' | 'runText'>;

async function findHoldWait(
  pool: Pool,
  customer: Customer,
  task: Pick<TaskContext, 'runId' | 'taskId' | 'iteration' | 'now'>,
): Promise<Wait | undefined> {
  const end = await findHoldEnd(pool, customer);
  if (end === undefined && (await countEarlier(pool, task)) === 0) return undefined;
  const now = task.now.getTime();
  const until = end === undefined ? now : Math.min(end?.getTime() ?? Infinity, now + LOOK_AGAIN_MS);
  const what = end
    ? `for the end of the customer’s hold until ${end.toISOString()}`
    : 'until the customer’s hold is released';
  return {
    until: new Date(until),
    runText: `Waiting ${what}. The message is sent then.`,
  };
}

async function findQuietWait(pool: Pool, customer: Customer): Promise<Wait | undefined> {
  const end = await readQuietEnd(pool, customer);
  if (!end) return undefined;
  const { until, zone } = end;
  return {
    until,
    runText: `Waiting for the end of the customer’s quiet hours until ${until.toISOString()}. The message is sent then, at ${localTime(until, zone)} in ${zone}.`,
  };
}

interface Held {
  signals?: JsonValue[];
  memory?: JsonValue;
}

/** What the send had been resumed with before it waited; undefined: it did not. */
const readHeld = (memory: JsonValue | undefined): Held | undefined =>
  memory !== undefined && isJsonObject(memory) && isJsonObject(memory['held']) ? memory['held'] : undefined;

const toResumed = ({ signals, memory }: Held, resumed: Resumption | undefined): Resumption | undefined =>
  signals === undefined || memory === undefined || !resumed ? undefined : { ...resumed, signals, memory };

/** Of runs that waited to send to the same customer, the first that waited sends first. @throws TaskError to look again */
async function waitBehindEarlier(
  task: Pick<TaskContext, 'runId' | 'taskId' | 'iteration'>,
  pool: Pool,
): Promise<void> {
  const earlier = await countEarlier(pool, task);
  if (earlier === 0) return;
  throw new TaskError(
    'customer_on_hold',
    'Waiting for runs before this one, which send to the customer first.',
    { retry: { kind: 'put_off', seconds: earlier / 4 } },
  );
}
