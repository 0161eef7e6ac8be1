import type { RunStatus } from '#lib/engine/run-types.ts';
import type { WorkflowEdge, WorkflowTask } from '#lib/engine/graph-types.ts';
import type { JsonObject } from '#lib/core/json/value.ts';
import type { Stage } from './stage.ts';

/** An external effect of a task; `changed` reads from the service's log how often it happened. */
export interface Effect {
  taskId: number;
  /** The log that has it. */
  journal: 'messages' | 'service' | 'templates';
  /** It may happen several times: interrupted attempts are retried. */
  repeats?: boolean;
  /** For messages: the number that the succeeded task has sent; default 1. */
  messages?: number;
}

/** A scenario: a workflow, and what happens to its runs. */
export interface Scenario {
  name: string;
  tasks: (stage: Stage) => WorkflowTask[];
  /** Left out: one after the other. */
  edges?: WorkflowEdge[];
  trigger?: Record<string, unknown>;
  /** Content of the webhook besides its marker and recipient. */
  body?: (stage: Stage) => JsonObject;
  /** Before any process starts. */
  prepare?: (stage: Stage) => Promise<void>;
  /** Left out: a webhook arrives, and a worker executes its run. */
  act?: (stage: Stage) => Promise<void>;
  effects: readonly Effect[];
  /** Final status of its runs without faults; default: succeeded. */
  ends?: readonly RunStatus[];
  /** Further possible final statuses with faults. */
  mayEnd?: readonly RunStatus[];
  /** A user resolves the unknown outcome: the task may be changed, repeated or marked as done. */
  isResolvedByPerson?: boolean;
  /** Messages are not sent. */
  isCaptured?: boolean;
}

/** The marker of an effect in the service's log: run, task and iteration. */
export const markOf = (mark: string, taskId: number, iteration: string): string =>
  `${mark}_t${taskId}_i${iteration}_`;

/** The same in the settings of a task. @param loopId of the loop around it */
export const markText = (taskId: number, loopId?: number): string =>
  markOf('{{task_1_mark}}', taskId, loopId === undefined ? '' : `{{task_${loopId}_index}}`);

const DIGITS = 'abcdefghij';

/** A marker as the name of a message template, which must not contain digits. */
export const lettersOf = (text: string): string =>
  text.replace(/\d/g, (digit) => DIGITS[Number(digit)] ?? '');
export const digitsOf = (text: string): string =>
  text.replace(/[a-j]/g, (letter) => String(DIGITS.indexOf(letter)));
