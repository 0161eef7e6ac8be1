// Input and result of the import dialog's check, which creates nothing.
import * as z from 'zod';
import { toDotPath } from 'zod/v4/core';
import { describeIssue } from '#lib/core/describe-issue.ts';
import type { Problem } from '#lib/core/errors.ts';
import { findTaskDefinition } from '#lib/tasks/registry.ts';
import { titleOfSetting } from '#lib/tasks/marked-fields.ts';
import { findImportSizeProblem } from './draft-size.ts';

// Describes problems of an imported file with the names that users gave, not with JSON paths.

export interface ImportProblem extends Problem {
  /** 'Task "Wait", Duration'; undefined: the whole file. */
  where: string | undefined;
}

const FIELDS: Readonly<Record<string, string>> = {
  id: 'ID',
  type: 'Type',
  name: 'Name',
  settings: 'Settings',
  position: 'Position',
  on_failure: 'If it fails',
  if_interrupted: 'If it is interrupted',
  max_attempts: 'Tries',
  disabled: 'Disabled',
  from: 'Start',
  to: 'End',
  branch: 'Branch',
};

const LISTS: Readonly<Record<string, string>> = {
  tasks: 'Tasks',
  edges: 'Connections between tasks',
  notes: 'Notes',
  name: 'Name of the workflow',
};

/** @param file the parsed JSON of the imported text */
export function locateImportProblem(problem: Problem, file: unknown): ImportProblem {
  return { ...problem, where: whereIs(problem.path, file) };
}

/** A schema issue of a file, in words that explain the fix. */
export function toImportProblems(issue: z.core.$ZodIssue, file: unknown): ImportProblem[] {
  const path = toDotPath(issue.path);
  const problems =
    issue.code === 'unrecognized_keys'
      ? issue.keys.map((key) => ({ path, message: `There is no field "${key}" here: remove it.` }))
      : [{ path, message: describeIssue(issue, at(file, issue.path)) }];
  return problems.map((problem) => locateImportProblem(problem, file));
}

function whereIs(path: string, file: unknown): string | undefined {
  const [, list = '', index, rest = ''] = /^(\w+)(?:\[(\d+)\])?\.?(.*)$/.exec(path) ?? [];
  if (index === undefined) return LISTS[list];
  const item = at(file, [list, Number(index)]);
  if (list === 'tasks') return joined(nameOfTask(item, Number(index)), fieldOfTask(item, rest));
  if (list === 'edges') return joined(nameOfEdge(item, file, Number(index)), FIELDS[rest]);
  return joined(`${LISTS[list] ?? list} ${Number(index) + 1}`, rest || undefined);
}

const joined = (name: string, field: string | undefined): string => (field ? `${name}, ${field}` : name);

function nameOfTask(task: unknown, index: number): string {
  const { name, type } = (task ?? {}) as { name?: unknown; type?: unknown };
  if (typeof name === 'string' && name !== '') return `Task "${name}"`;
  const known = typeof type === 'string' ? findTaskDefinition(type)?.name : undefined;
  return known === undefined ? `Task ${index + 1}` : `Task ${index + 1} (${known})`;
}

function fieldOfTask(task: unknown, path: string): string | undefined {
  const { type } = (task ?? {}) as { type?: unknown };
  const definition = typeof type === 'string' ? findTaskDefinition(type) : undefined;
  if (definition && path.startsWith('settings')) return titleOfSetting(definition.settings, path);
  return FIELDS[path] ?? (path || undefined);
}

function nameOfEdge(edge: unknown, file: unknown, index: number): string {
  const tasks = at(file, ['tasks']);
  const nameOf = (id: unknown): string | undefined => {
    const found: unknown = Array.isArray(tasks)
      ? tasks.find((task: unknown) => at(task, ['id']) === id)
      : undefined;
    const name = at(found, ['name']);
    return typeof name === 'string' ? name : undefined;
  };
  const [from, to] = [nameOf(at(edge, ['from'])), nameOf(at(edge, ['to']))];
  if (from !== undefined && to !== undefined) return `Connection from "${from}" to "${to}"`;
  return from === undefined ? `Connection ${index + 1}` : `Connection ${index + 1}, from "${from}"`;
}

const at = (value: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>(
    (part, key) => (part as Record<PropertyKey, unknown> | null | undefined)?.[key],
    value,
  );

export const importTextSchema = z.strictObject({
  text: z.string().superRefine((text, context) => {
    const message = findImportSizeProblem(text);
    if (message !== undefined) context.addIssue({ code: 'custom', message });
  }),
});

export const importSchema = importTextSchema.extend({
  /** Ids in the file → ids of this workspace; an empty one removes the connection. */
  connections: z.record(z.string(), z.string()),
  /** Sender of all tasks without a connection of this workspace. */
  sender: z.strictObject({ connectionId: z.string(), phoneNumberId: z.string().max(100) }).optional(),
});

export interface ImportCheck {
  name: string;
  taskCount: number;
  /** By path; without any, the file can be imported. */
  problems: readonly ImportProblem[];
  /** Problems that do not prevent the import, such as keys in plain text. */
  warnings: readonly ImportProblem[];
  /** Connections of the file's tasks that do not exist in this workspace. */
  unknownConnections: { id: string; taskNames: string[] }[];
  /** Whether a task has no connection or number of this workspace. */
  needsSender: boolean;
  /** Possible replacements. */
  connections: { id: string; name: string }[];
}
