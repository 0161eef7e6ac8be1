import type { RunStatus } from '#lib/engine/run-types.ts';
import type { WorkflowEdge, WorkflowTask } from '#lib/engine/graph-types.ts';
import type { JsonObject } from '#lib/core/json/value.ts';
import type { Stage } from './stage.ts';

/** Something that a task changes outside; `changed` reads from the other side's journal how often. */
export interface Effect {
  taskId: number;
  /** Where it is journaled. */
  journal: 'messages' | 'service' | 'templates';
  /** It may happen several times: what is left in flight is tried again. */
  repeats?: boolean;
  /** Of messages: how many the task has sent when it has succeeded; default 1. */
  messages?: number;
}

/** What a play is about: a workflow, and what happens to its runs. */
export interface Scenario {
  name: string;
  tasks: (stage: Stage) => WorkflowTask[];
  /** Left out: one after the other. */
  edges?: WorkflowEdge[];
  trigger?: Record<string, unknown>;
  /** What the webhook brings besides its mark and its recipient. */
  body?: (stage: Stage) => JsonObject;
  /** Before any process starts. */
  prepare?: (stage: Stage) => Promise<void>;
  /** Left out: a webhook comes, and a worker executes its run. */
  act?: (stage: Stage) => Promise<void>;
  effects: readonly Effect[];
  /** How its runs end when nothing goes wrong; default: they succeed. */
  ends?: readonly RunStatus[];
  /** Runs may also end in these ways when a process is struck. */
  mayEnd?: readonly RunStatus[];
  /** A person says what becomes of what ended: it may change, be repeated or be said to be done. */
  isResolvedByPerson?: boolean;
  /** Messages do not leave. */
  isCaptured?: boolean;
}

/** What the other side's journal has of an effect: of which run, which task and which iteration. */
export const markOf = (mark: string, taskId: number, iteration: string): string =>
  `${mark}_t${taskId}_i${iteration}_`;

/** The same as the settings of a task say it. @param loopId of the loop around it */
export const markText = (taskId: number, loopId?: number): string =>
  markOf('{{task_1_mark}}', taskId, loopId === undefined ? '' : `{{task_${loopId}_index}}`);

const DIGITS = 'abcdefghij';

/** A mark as the name of a message template, which may have no digits. */
export const lettersOf = (text: string): string =>
  text.replace(/\d/g, (digit) => DIGITS[Number(digit)] ?? '');
export const digitsOf = (text: string): string =>
  text.replace(/[a-j]/g, (letter) => String(DIGITS.indexOf(letter)));
