import { isJsonObject, type JsonObject, type JsonValue } from '#lib/core/json/value.ts';
import { VariableSecretError } from './errors.ts';
import { findFlattened } from './flatten.ts';
import { SECRET_NAME, parseTaskName, type ZoneOwner, ZONES_NAME } from './task-names.ts';

/** Resolves names. `name` is the first segment of a path: `task_5_customer_name`, `$now`, `customer`. */
export interface VariableScope {
  resolve(name: string): JsonValue | undefined;
}

/** The data behind the variables of one task. */
export interface TaskView {
  /** Under its own field names, not flattened. */
  output: JsonValue | undefined;
  /** `task_<id>_run`: whether the task succeeded; undefined while it has not ended. */
  run?: boolean;
  /** `task_<id>_run_text`. */
  run_text?: string;
  /** `task_<id>.HEADERS`: only on the trigger; names in lower case. */
  headers?: Record<string, string>;
  /** `task_<id>.WEBHOOKS`: only on the trigger. */
  webhooks?: JsonValue[];
  /** Fields that go before the output's: in a loop `item`, `index`; after it `count`. */
  extra?: Record<string, JsonValue>;
}

export interface ScopeSources {
  /** Undefined for a missing task or one without data. */
  tasks: (taskId: number) => TaskView | undefined;
  /** The body whose fields are variables under their bare names (response body and redirect URL of a trigger). */
  body?: JsonValue;
  now: () => Date;
  /** Of the workspace; left out: UTC. */
  zone?: string | undefined;
}

/** The time zones that a text may name; until it is known the customer's is the workspace's. */
const zonesOf = (zone = 'UTC') => ({ workspace: zone, customer: zone }) satisfies Record<ZoneOwner, string>;

/** A scope in which `zone="customer"` is this one. */
export function withCustomerZone(scope: VariableScope, zone: string): VariableScope {
  return {
    resolve: (name) => {
      const value = scope.resolve(name);
      return name === ZONES_NAME && isJsonObject(value) ? { ...value, customer: zone } : value;
    },
  };
}

/**
 * The names of docs/variables.md: `task_<id>_<field>`, `task_<id>_run`, `task_<id>_run_text`, `task_<id>` with the members
 * `JSON`, `HEADERS` and `WEBHOOKS`, bare fields of `body`, `$now` and `$date`. An output field called `run` or `run_text` loses
 * to the status and is reached by `.JSON`. Secrets of the workspace have no values here: without a `body`, asking for one
 * throws `VariableSecretError` (`lib/tasks/with-secrets.ts` gives them to the fields that may use them). Make one scope for one render: it keeps what it found and one `now`.
 */
export function createScope(sources: ScopeSources): VariableScope {
  const found = new Map<string, JsonValue | undefined>();
  let now: string | undefined;
  return {
    resolve(name) {
      if (name === '$now') return (now ??= sources.now().toISOString());
      if (name === '$date') return (now ??= sources.now().toISOString()).slice(0, 10);
      if (name === ZONES_NAME) return zonesOf(sources.zone);
      if (found.has(name)) return found.get(name);
      const value = findValue(sources, name);
      found.set(name, value);
      return value;
    },
  };
}

function findValue(sources: ScopeSources, name: string): JsonValue | undefined {
  const parts = parseTaskName(name);
  const task = parts && sources.tasks(parts.taskId);
  if (task === undefined) {
    if (sources.body !== undefined) return findFlattened(sources.body, name);
    if (name === SECRET_NAME) throw new VariableSecretError('a secret cannot be used here.');
    return undefined;
  }
  const field = parts?.field;
  if (field === undefined) return taskObject(task);
  if (field === 'run') return task.run;
  if (field === 'run_text') return task.run_text;
  const extra = task.extra === undefined ? undefined : findFlattened(task.extra, field);
  return extra === undefined ? findFlattened(task.output, field) : extra;
}

function taskObject(task: TaskView): JsonObject {
  return {
    ...(task.output === undefined ? {} : { JSON: task.output }),
    ...(task.headers === undefined ? {} : { HEADERS: task.headers }),
    ...(task.webhooks === undefined ? {} : { WEBHOOKS: task.webhooks }),
  };
}
