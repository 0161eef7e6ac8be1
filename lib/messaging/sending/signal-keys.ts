// Keys of the signals that runs await (docs/engine.md, "Signals"): used by tasks that wait and by the receiver.
import { isId, newId } from '#lib/core/ids.ts';
import {
  AWAITED_STATUSES,
  type AwaitedStatus,
  endsWait,
  type MessageStatus,
} from '#lib/messaging/schema/message-statuses.ts';

/** The task run that sent a message and waits for the reply. */
export interface AskingTaskRun {
  runId: string;
  taskId: number;
  iteration: string;
}

/** Callback data of a question, returned with its statuses. */
export const questionId = ({ runId, taskId, iteration }: AskingTaskRun): string =>
  `${runId}:${taskId}:${iteration}`;

/** The id of a button or row of a question, which identifies its task run. @param place from 0 */
export const choiceId = (question: AskingTaskRun, place: number): string =>
  `${questionId(question)}:${place}`;

/** The task run of a tap or a status, and the tapped button or row; undefined for an id of no question of ours. */
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

/** The key of a wait for a status of one message: sent with the message and returned with its statuses. */
export const newStatusKey = (awaited: AwaitedStatus): string => `status:${awaited}:${newId()}`;

/** The wait that a status ends, from its callback data; undefined when no run waits for it. */
export function readStatusKey(callbackData: string, status: MessageStatus): string | undefined {
  const [kind, word = '', id = ''] = callbackData.split(':');
  const awaited = AWAITED_STATUSES.find((each) => each === word);
  return kind === 'status' && awaited && isId(id) && endsWait(awaited, status) ? callbackData : undefined;
}
