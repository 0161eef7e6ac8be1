// What runs wait for that the platform tells (docs/engine.md, "Signals"): said by tasks that wait and by the receiver.
import { isId } from '#lib/core/ids.ts';

/** The task run that a message was sent by, and that waits for what is answered to it. */
export interface AskingTaskRun {
  runId: string;
  taskId: number;
  iteration: string;
}

/** What a customer writes to a number. @param customer one of their names: number or user id */
export const customerKey = (phoneNumberId: string, customer: string): string =>
  `customer:${phoneNumberId}:${customer}`;

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
