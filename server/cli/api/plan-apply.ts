// Plans the changes of applying files: everything is planned before anything is written.
import { createTwoFilesPatch } from 'diff';
import type { JsonObject, JsonValue } from '#lib/core/json/value.ts';
import { isJsonObject } from '#lib/core/json/value.ts';
import { MASK, withoutSecretIds } from '#lib/secrets/placeholder-format.ts';
import { toCurrentGraph } from '#lib/tasks/current-shape.ts';
import { listPicked } from '#lib/tasks/picks.ts';
import { listCredentialsInFile } from '#lib/tasks/plain-credentials.ts';
import { findTaskDefinition } from '#lib/tasks/registry.ts';
import { ApiError } from './api.ts';
import {
  type Drawing,
  fillConnections,
  type Task,
  toFile,
  type WorkflowFile,
  writeFile,
} from './workflow-file.ts';
import { type Connection, findNamed, type Workflow } from './workflows.ts';

export interface ApplyPlan {
  action: 'create' | 'update' | 'unchanged';
  /** The existing workflow. */
  current: Workflow | null;
  /** The request. */
  drawing: Drawing;
  /** Differences between the existing and the new workflow; empty: none. */
  diff: string;
  /** Remaining manual steps. */
  notes: string[];
}

export interface Target {
  workflows: readonly Workflow[];
  connections: readonly Connection[];
  /** Names of connections in files → names of connections here. */
  replacements: Readonly<Record<string, string>>;
}

/** @throws ApiError when the file's workflow or a connection matches none of this installation, or several */
export function planApply(written: WorkflowFile, path: string, target: Target): ApplyPlan {
  const file = toCurrentGraph(written);
  const current = findCurrent(file, path, target.workflows);
  const notes = file.tasks.flatMap(noteCredentials);
  const tasks = file.tasks.map((task) => {
    const before = (current?.tasks as unknown as Task[] | undefined)?.find(({ id }) => id === task.id);
    const same = before?.type === task.type ? before : undefined;
    return adaptTask(task, same, file, target, notes, path);
  });
  const { name, edges, notes: texts } = file;
  const drawing = { name, tasks, edges, ...(texts ? { notes: texts } : {}) } as unknown as Drawing;
  const text = writeFile(toFile(drawing, target.connections));
  const before = current ? writeFile(toFile(current, target.connections)) : '';
  const isSame = before === text;
  return {
    action: current === null ? 'create' : isSame ? 'unchanged' : 'update',
    current,
    drawing,
    diff: isSame ? '' : createTwoFilesPatch(current?.name ?? '/dev/null', path, before, text),
    notes,
  };
}

/** Keys in plain text in the file. */
function noteCredentials({ id, type, settings }: Task): string[] {
  const definition = findTaskDefinition(type);
  return definition
    ? listCredentialsInFile(definition, settings).map(({ message }) => `Task ${id}: ${message}`)
    : [];
}

function findCurrent(file: WorkflowFile, path: string, workflows: readonly Workflow[]): Workflow | null {
  if (file.id === undefined)
    return workflows.some(({ name }) => name === file.name) ? findNamed(workflows, file.name) : null;
  const found = workflows.find(({ id }) => id === file.id);
  if (found) return found;
  throw new ApiError(
    `${path}: there is no workflow with the id ${file.id} here. Remove the id to find it by its name.`,
  );
}

function adaptTask(
  task: Task,
  before: Task | undefined,
  file: WorkflowFile,
  { connections, replacements }: Target,
  notes: string[],
  path: string,
): Task {
  const foreign: string[] = [];
  const filled = fillConnections(task, (inFile) => {
    const name = replacements[inFile] ?? inFile;
    const named = connections.filter((connection) => connection.name === name);
    const [connection] = named;
    if (!connection || named.length > 1)
      throw new ApiError(
        connection
          ? `${path}: task ${task.id}: ${named.length} connections are called “${name}”. Rename one of them, or use another one: --connection "${inFile}=<name>"`
          : `${path}: task ${task.id}: there is no connection “${name}” here. Connect it, or use another one: --connection "${inFile}=<name>"`,
      );
    if (file.connections[inFile]?.business_account_id !== connection.business_account_id)
      foreign.push(connection.id);
    return connection.id;
  });
  const settings = foreign.length > 0 ? adaptSender(filled, before, notes) : filled.settings;
  return {
    ...pick(before, 'name', 'position'),
    ...filled,
    settings: keepSecrets(settings, before?.settings) as JsonObject,
  };
}

/** Optional fields of a file. */
const pick = (task: Task | undefined, ...names: string[]): JsonObject =>
  Object.fromEntries(
    names.flatMap((name) => (task?.[name] === undefined ? [] : [[name, task[name]] as const])),
  );

/** Accounts and numbers of another installation are unknown here: this one's are kept. */
function adaptSender(task: Task, before: Task | undefined, notes: string[]): JsonObject {
  const settings = { ...task.settings };
  for (const { name, from, value } of listPicked(task)) {
    if (from !== 'business_account' && from !== 'phone_number') continue;
    if (value === undefined || value === '') continue;
    const kept = before?.settings[name];
    if (kept === undefined) {
      delete settings[name];
      notes.push(
        `Task ${task.id}: select the ${from === 'phone_number' ? 'phone number' : 'business account'}, which is another one here.`,
      );
    } else settings[name] = kept;
  }
  return settings;
}

/** Where a file has a placeholder of a secret, the stored one is kept. */
function keepSecrets(value: JsonValue, before: JsonValue | undefined): JsonValue {
  if (typeof value === 'string')
    return value.includes(MASK) && typeof before === 'string' && withoutSecretIds(before) === value
      ? before
      : value;
  if (Array.isArray(value)) {
    const rows = Array.isArray(before) ? before : [];
    return value.map((row, index) => keepSecrets(row, findRow(rows, row) ?? rows[index]));
  }
  if (!isJsonObject(value)) return value;
  const of = isJsonObject(before) ? before : {};
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, keepSecrets(each, of[key])]));
}

/** Rows such as headers are matched by name, in any order. */
function findRow(rows: readonly JsonValue[], row: JsonValue): JsonValue | undefined {
  const name = isJsonObject(row) ? row['name'] : undefined;
  return name === undefined ? undefined : rows.find((each) => isJsonObject(each) && each['name'] === name);
}
