// A workflow as a file for a repository: the same text for the same workflow, from any installation. It contains no ids of an
// installation and no secrets; connections are referred to by name.
import { parseJson } from '#lib/core/json/parse-json.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '#lib/core/json/value.ts';
import { mapStrings, withoutSecretIds } from '#lib/secrets/placeholder-format.ts';
import { listPicked } from '#lib/tasks/picks.ts';
import { ApiError } from './api.ts';
import type { Connection, Workflow } from './workflows.ts';

/** Replaces a connection in a task's settings: this prefix, then its name. */
const CONNECTION = 'connection:';

export type Task = JsonObject & { id: number; type: string; settings: JsonObject };

export interface WorkflowFile {
  /** Only where the name is ambiguous. */
  id?: string;
  name: string;
  /** The connections of the tasks; the business account shows whether its numbers are valid elsewhere. */
  connections: Record<string, { business_account_id: string | null }>;
  tasks: Task[];
  edges: JsonValue[];
  notes?: JsonValue[];
}

export type Drawing = Pick<Workflow, 'name' | 'tasks' | 'edges' | 'notes'>;

/** @throws ApiError when two connections have the same name */
export function toFile(drawing: Drawing, connections: readonly Connection[]): WorkflowFile {
  const byId = new Map(connections.map((connection) => [connection.id, connection]));
  const used = new Map<string, Connection>();
  const replace = (text: string): string => {
    const connection = byId.get(text);
    if (!connection) return text;
    if (connections.filter(({ name }) => name === connection.name).length > 1)
      throw new ApiError(`Two connections are called “${connection.name}”. Rename one of them.`);
    used.set(connection.name, connection);
    return `${CONNECTION}${connection.name}`;
  };
  const tasks = (drawing.tasks as unknown as Task[]).map((task) => {
    const settings = mapStrings(task.settings, withoutSecretIds);
    return { ...task, settings: { ...settings, ...mapConnections(task, replace) } };
  });
  return {
    name: drawing.name,
    connections: Object.fromEntries(
      [...used].map(([name, { business_account_id }]) => [name, { business_account_id }]),
    ),
    tasks,
    edges: drawing.edges,
    ...(drawing.notes ? { notes: drawing.notes } : {}),
  };
}

/** The names of connections in a task's settings, replaced by the results of `idOf`. */
export const fillConnections = (task: Task, idOf: (name: string) => string): Task => ({
  ...task,
  settings: {
    ...task.settings,
    ...mapConnections(task, (text) =>
      text.startsWith(CONNECTION) ? idOf(text.slice(CONNECTION.length)) : text,
    ),
  },
});

/** The names of connections in a file's tasks, each as often as it occurs. */
export function listConnectionNames({ tasks }: WorkflowFile): string[] {
  const names: string[] = [];
  for (const task of tasks)
    fillConnections(task, (name) => {
      names.push(name);
      return name;
    });
  return names;
}

/** The settings that name a connection, changed; other texts may contain `connection:`, too. */
const mapConnections = (task: Task, change: (text: string) => string): JsonObject =>
  Object.fromEntries(
    listPicked(task).flatMap(({ name, from, value }) =>
      from === 'connection' && typeof value === 'string' ? [[name, change(value)]] : [],
    ),
  );

const TASK_KEYS = ['id', 'type', 'name', 'settings'];

/** The text of a file: keys and rows in one order, so that a diff shows only what changed. */
export function writeFile({ id, name, connections, tasks, edges, notes }: WorkflowFile): string {
  const number = (value: JsonValue | undefined): number => Number(value ?? 0);
  const edgeKey = (edge: JsonValue): [number, number, string] => {
    const { from, to, branch } = isJsonObject(edge) ? edge : {};
    return [number(from), number(to), typeof branch === 'string' ? branch : ''];
  };
  const value = {
    ...(id === undefined ? {} : { id }),
    name,
    connections: sortKeys(connections),
    tasks: [...tasks]
      .sort((a, b) => a.id - b.id)
      .map((task) => ({ ...sortKeys(task, TASK_KEYS), settings: sortKeys(task.settings) })),
    edges: [...edges]
      .sort((a, b) => {
        const [x, y] = [edgeKey(a), edgeKey(b)];
        return x[0] - y[0] || x[1] - y[1] || (x[2] < y[2] ? -1 : 1);
      })
      .map((edge) => (isJsonObject(edge) ? sortKeys(edge, ['from', 'to']) : edge)),
    ...(notes?.length ? { notes } : {}),
  };
  return `${JSON.stringify(value, null, 2)}\n`;
}

function sortKeys<Value extends object>(value: Value, first: readonly string[] = []): Value {
  const rank = (key: string): number => (first.includes(key) ? first.indexOf(key) : first.length);
  return Object.fromEntries(
    Object.entries(value).sort(([a], [b]) => rank(a) - rank(b) || (a < b ? -1 : 1)),
  ) as Value;
}

/** @throws ApiError with the problem of the text; the API checks tasks and edges */
export function readFile(text: string, path: string): WorkflowFile {
  const value = parse(text, path);
  const fail = (what: string): never => {
    throw new ApiError(`${path} is not an exported workflow: ${what}`);
  };
  if (!isJsonObject(value)) return fail('it is not a JSON object.');
  const { id, name, connections = {}, tasks, edges = [], notes, ...unknown } = value;
  const [other] = Object.keys(unknown);
  if (other !== undefined) return fail(`remove “${other}”.`);
  if (typeof name !== 'string' || name.trim() === '') return fail('enter a name.');
  if (id !== undefined && typeof id !== 'string') return fail('the id is not a text.');
  if (!Array.isArray(tasks)) return fail('add a list of tasks.');
  if (!Array.isArray(edges) || (notes !== undefined && !Array.isArray(notes)))
    return fail('edges and notes are lists.');
  if (!isJsonObject(connections)) return fail('connections is an object.');
  return {
    ...(id === undefined ? {} : { id }),
    name: name.trim(),
    connections: connections as WorkflowFile['connections'],
    tasks: tasks.map(
      (task, index) =>
        toTask(task) ??
        fail(`tasks[${index}]: a task has a number as id, a type, and an object as settings.`),
    ),
    edges,
    ...(notes ? { notes } : {}),
  };
}

function toTask(value: JsonValue): Task | null {
  if (!isJsonObject(value)) return null;
  const { id, type, settings = {} } = value;
  if (typeof id !== 'number' || typeof type !== 'string' || !isJsonObject(settings)) return null;
  return { ...value, id, type, settings };
}

function parse(text: string, path: string): JsonValue {
  try {
    return parseJson(text);
  } catch (error) {
    throw new ApiError(`${path} is not JSON: ${(error as Error).message}`, undefined, { cause: error });
  }
}
