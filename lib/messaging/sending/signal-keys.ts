// Keys of the signals that runs await (docs/engine.md, "Signals"): used by tasks that wait and by the receiver.
import { isId, newId } from '#lib/core/ids.ts';
import {
  AWAITED_STATUSES,
  type AwaitedStatus,
  endsWait,
  type MessageStatus,
} from '#lib/messaging/schema/message-statuses.ts';

/** The task run that a message was sent by, and that waits for what is answered to it. */
export interface AskingTaskRun {
  runId: string;
  taskId: number;
  iteration: string;
}

/** Goes along with a question, and comes back with its statuses. */
export const questionId = ({ runId, taskId, iteration }: AskingTaskRun): string =>
  `${runId}:${taskId}:${iteration}`;

/** The id of a button or row of a question: a tap names whom it answers. @param place from 0 */
export const choiceId = (question: AskingTaskRun, place: number): string =>
  `${questionId(question)}:${place}`;

/** Whom a tap or a status is for, and which button or row was tapped; undefined where no question of ours had the id. */
export function readQuestionId(id: string): (AskingTaskRun & { place: number | undefined }) | undefined {
  const [runId = '', task = '', iteration = '', place] = id.split(':');
  if (!isId(runId) || !/^\d+$/.test(task)) return undefined;
  return {
    runId,
    taskId: Number(task),
    iteration,
    place: place === undefined ? undefined : Number(place),
  };
}

/** The key of a wait for a status of one message: it goes along with the message and comes back with its statuses. */
export const newStatusKey = (awaited: AwaitedStatus): string => `status:${awaited}:${newId()}`;

/** The wait that a status ends, from its callback data; undefined when no run waits for it. */
export function readStatusKey(callbackData: string, status: MessageStatus): string | undefined {
  const [kind, word = '', id = ''] = callbackData.split(':');
  const awaited = AWAITED_STATUSES.find((each) => each === word);
  return kind === 'status' && awaited && isId(id) && endsWait(awaited, status) ? callbackData : undefined;
}
