// A send that continues when the platform has reported the outcome of its message. The wait is opened before the request is
// sent, so that a status that arrives before the response is not lost (docs/engine.md, "Signals").
import { isCaptured } from '#lib/messaging/sending/captured-id.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '#lib/core/json/value.ts';
import type { TaskContext, TaskResult } from '#lib/engine/task-executor.ts';
import { type AwaitedStatus, endsWait, type MessageStatus } from '#lib/messaging/schema/message-statuses.ts';
import { explainStatusError, findMessage } from '#lib/messaging/sending/find-message.ts';
import { newStatusKey } from '#lib/messaging/sending/signal-keys.ts';
import { evaluateDuration } from '#lib/tasks/evaluate-setting.ts';
import { toText } from '#lib/variables/to-text.ts';
import type { ActionCall, ActionResult } from '../call.ts';
import { DELIVERY_FAILED, NOT_IN_TIME, REACHED } from './exits.ts';
import { type DeliverySettings, withAcceptance } from './settings.ts';

/** For calls of any task type. */
type SendingCall = Pick<ActionCall, 'ctx' | 'listenForStatus'>;

/** A reported status of a message. */
interface Reported {
  status: MessageStatus;
  /** ISO 8601, UTC. */
  at: string;
  errors: JsonValue;
}

/** State during the wait. */
interface Memory {
  awaited: AwaitedStatus;
  /** Of the send. */
  output: JsonObject;
  runText: string;
}

/**
 * Sends, and waits depending on the settings; executed again after the wait, it takes the exit. @param send sends with `call`,
 * and returns the output with its `message_id`. @throws TaskError
 */
export async function sendAndWait(
  task: TaskContext<DeliverySettings>,
  call: SendingCall,
  send: () => Promise<ActionResult>,
): Promise<TaskResult> {
  if (task.resumed) return endWait(call, task.resumed);
  const { wait_until: awaited, wait_amount: amount, wait_unit: unit } = task.settings;
  if (awaited === 'none') return { kind: 'done', ...tellAcceptance(await send()) };
  const milliseconds = evaluateDuration(amount, unit, task.scope);
  call.listenForStatus(newStatusKey(awaited));
  const sent = await send();
  const { output, runText } = sent;
  if (isCaptured(toText(output['message_id']))) {
    const text = `${runText} Test run: counts as ${awaited}. Pin an output to continue by another exit.`;
    return {
      kind: 'done',
      branch: REACHED[awaited].name,
      output: { ...output, status: awaited },
      runText: text,
    };
  }
  return {
    kind: 'listen',
    until: new Date(task.now.getTime() + milliseconds),
    memory: { awaited, output, runText } satisfies Memory as unknown as JsonObject,
    output: { ...output, status: 'accepted' },
    runText: `${tellAcceptance(sent).runText} Waiting for it to be ${awaited}.`,
  };
}

async function endWait(
  call: SendingCall,
  { signals, memory }: NonNullable<TaskContext['resumed']>,
): Promise<TaskResult> {
  const { awaited, output: sent, runText } = memory as unknown as Memory;
  const reported = signals.map(readReported).at(-1) ?? (await findReported(call, toText(sent['message_id'])));
  const output: JsonObject = {
    ...sent,
    status: reported?.status ?? 'accepted',
    status_at: reported?.at ?? '',
  };
  const done = { kind: 'done' as const, output };
  if (!reported || !endsWait(awaited, reported.status))
    return { ...done, branch: NOT_IN_TIME.name, runText: `${runText} Not ${awaited} in time.` };
  if (reported.status !== 'failed')
    return { ...done, branch: REACHED[awaited].name, runText: `${runText} ${REACHED[awaited].label}.` };
  return {
    kind: 'done',
    branch: DELIVERY_FAILED.name,
    output: { ...output, errors: reported.errors },
    runText: `Delivery failed${reasonOf(reported.errors)}`,
  };
}

function readReported(signal: JsonValue): Reported {
  const { status, at, errors = [] } = isJsonObject(signal) ? signal : {};
  return { status: toText(status) as MessageStatus, at: toText(at), errors };
}

/** Recorded statuses count at the deadline: a platform may report statuses without the callback data of the message. */
async function findReported(call: SendingCall, messageId: string): Promise<Reported | undefined> {
  const known = await findMessage(call.ctx, messageId);
  return (
    known && {
      status: known.status,
      at: known.statusAt.toISOString(),
      errors: (known.errors ?? []).map((error) => ({ ...error })),
    }
  );
}

function reasonOf(errors: JsonValue): string {
  const [first] = Array.isArray(errors) ? errors : [];
  if (!isJsonObject(first)) return '.';
  const { code, title, message } = first;
  return `: ${explainStatusError({ code: Number(toText(code)) || 0, title: toText(title), message: toText(message) })}`;
}

const tellAcceptance = ({ output, runText }: ActionResult): ActionResult => ({
  output,
  runText: withAcceptance(runText, toText(output['message_status'])),
});
