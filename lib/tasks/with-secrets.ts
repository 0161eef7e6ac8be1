// The only place where a task gets its secrets: right before it is executed. Its results are recorded without them, even if a
// service repeats the workspace's named secrets.
import { isDatabaseUnavailable } from '#lib/core/db/database-unavailable.ts';
import {
  TaskError,
  type TaskContext,
  type TaskExecutor,
  type TaskResult,
} from '#lib/engine/task-executor.ts';
import type { JsonObject } from '#lib/core/json/value.ts';
import {
  listSecretIds,
  loadNamedSecrets,
  loadSecrets,
  type NamedSecret,
  type SecretSource,
} from '#lib/secrets/stored-secrets.ts';
import type { KnownSecret } from '#lib/secrets/named-secret.ts';
import { findPlaceholders, hasString, mapStrings } from '#lib/secrets/placeholder-format.ts';
import { createRedactor, joinRedactors, type Redactor } from '#lib/secrets/redact.ts';
import type { SecretValue } from '#lib/secrets/setting-secret.ts';
import type { VariableScope } from '#lib/variables/scope.ts';
import { SECRET_NAME } from '#lib/variables/task-names.ts';
import { renderSetting } from './evaluate-setting.ts';
import { perSettings } from './setting-values.ts';
import {
  findDestinationProblem,
  findRefusal,
  listSecretUses,
  readLiteralOrigin,
  type SecretRules,
} from './named-secrets.ts';

type Settings = Record<string, unknown>;

interface Needs {
  hasPlaceholders: boolean;
  /** Secrets that were extracted from the settings. */
  ids: readonly string[];
  /** Named secrets of the workspace. */
  names: readonly string[];
  /** Why one of them cannot be used. */
  problem: string | undefined;
}

interface Execution {
  definition: SecretRules;
  needs: Needs;
  source: (workspaceId: string) => Promise<SecretSource>;
}

/** A version's settings are the same object in every run. */
const needsBySettings = new WeakMap<Settings, Needs>();

/**
 * An executor that gets the secrets of its task.
 * @param definition of its type: which settings may use secrets of the workspace
 * @param source of a workspace's secrets
 */
export function withSecrets(
  executor: TaskExecutor,
  definition: SecretRules,
  source: (workspaceId: string) => Promise<SecretSource>,
): TaskExecutor {
  return {
    ...executor,
    execute: (context) => {
      const needs = needsOf(context.settings, definition);
      if (needs.problem !== undefined) throw new TaskError('secret_not_allowed', needs.problem);
      return needs.hasPlaceholders || needs.names.length > 0
        ? executeRevealed(executor, context, { definition, needs, source })
        : executor.execute(context);
    },
  };
}

async function executeRevealed(
  executor: TaskExecutor,
  context: TaskContext,
  { definition, needs, source }: Execution,
): Promise<TaskResult> {
  const { values, known } = await load(source(context.workspaceId), needs);
  const named = new Map([...known.values()].map(({ name, value }) => [name, value]));
  const namedRedactor = createRedactor(named, 'name');
  const redactor = joinRedactors(namedRedactor, createRedactor(values));
  try {
    const settings = revealSettings(context.settings, values);
    for (const secret of known.values()) assertDestination(definition, settings, secret, context.scope);
    const scope = withNamedSecrets(context.scope, named);
    const result = await executor.execute({ ...context, settings, scope, ...hideSecrets(context, redactor) });
    if (result.kind === 'loop') return result;
    return { ...result, output: namedRedactor.json(result.output), runText: redactor.text(result.runText) };
  } catch (error) {
    throw error instanceof TaskError ? redacted(error, redactor, namedRedactor) : error;
  }
}

/**
 * Only now the final URL is known. Where its host is text, its scheme is, too; otherwise only HTTPS keeps the secret from
 * eavesdroppers.
 * @throws TaskError `secret_not_allowed`
 */
function assertDestination(
  definition: SecretRules,
  settings: Settings,
  secret: KnownSecret,
  scope: VariableScope,
): void {
  const problem = findDestinationProblem(definition, settings, secret);
  if (problem !== undefined) throw new TaskError('secret_not_allowed', problem);
  const text = definition.secretsGoTo === undefined ? undefined : settings[definition.secretsGoTo];
  if (typeof text !== 'string' || readLiteralOrigin(text)) return;
  const url = URL.parse(renderSetting(text.trim(), scope, 'url').trim());
  // Invalid URLs are not called.
  if (!url) return;
  const refusal =
    url.protocol === 'https:'
      ? findRefusal(url, secret)
      : `The secret ${secret.name} is only sent over HTTPS where a variable chooses the URL.`;
  if (refusal !== undefined) throw new TaskError('secret_not_allowed', refusal);
}

/** The settings of the task were checked: they only use secrets where allowed. */
function withNamedSecrets(scope: VariableScope, named: ReadonlyMap<string, string>): VariableScope {
  if (named.size === 0) return scope;
  const values = Object.fromEntries(named);
  return { resolve: (name) => (name === SECRET_NAME ? values : scope.resolve(name)) };
}

/** Requests captured in a run of the draft contain no secrets either. */
const hideSecrets = (context: TaskContext, redactor: Redactor): Pick<TaskContext, 'changeOutside'> => ({
  changeOutside: (effect, act) =>
    context.changeOutside({ ...effect, shown: () => redactor.json(effect.shown()) as JsonObject }, act),
});

/**
 * @throws TaskError `unreadable_secret`, `missing_secret`; the database's error while it is unavailable, after which the task
 * is executed again.
 */
async function load(
  source: Promise<SecretSource>,
  { ids, names }: Needs,
): Promise<{ values: Map<string, SecretValue>; known: Map<string, NamedSecret> }> {
  const from = await source;
  const values = await readable(
    () => loadSecrets(from, ids),
    'A secret of this task cannot be read: enter it again, or restore its key in ENCRYPTION_KEYS.',
  );
  const known = await readable(
    () => loadNamedSecrets(from, names),
    'A secret of the workspace cannot be read: set its value again, or restore its key in ENCRYPTION_KEYS.',
  );
  const missing = names.find((name) => !known.has(name));
  if (missing === undefined) return { values, known };
  throw new TaskError(
    'missing_secret',
    `There is no secret ${missing}: add it in Settings → Secrets, then retry.`,
  );
}

async function readable<Values>(read: () => Promise<Values>, message: string): Promise<Values> {
  try {
    return await read();
  } catch (cause) {
    if (isDatabaseUnavailable(cause)) throw cause;
    throw new TaskError('unreadable_secret', message, { cause });
  }
}

function needsOf(settings: Settings, definition: SecretRules): Needs {
  const known = needsBySettings.get(settings);
  if (known) return known;
  const uses = listSecretUses(definition, settings);
  const needs = {
    hasPlaceholders: needsSecrets(settings),
    ids: listSecretIds({ tasks: [{ id: 0, type: '', name: '', settings }] }),
    names: [...new Set(uses.map(({ name }) => name))],
    problem: uses.find(({ problem }) => problem !== undefined)?.problem,
  };
  needsBySettings.set(settings, needs);
  return needs;
}

/** Whether settings contain placeholders of secrets, which are filled in before the task is executed. */
export const needsSecrets = perSettings((settings: Settings) =>
  hasString(settings, (text) => findPlaceholders(text).length > 0),
);

/** Settings with their secrets. @throws TaskError `missing_secret` */
export const revealSettings = (settings: Settings, values: ReadonlyMap<string, SecretValue>): Settings =>
  mapStrings(settings, (text) => reveal(text, values));

/** An extracted number becomes a number again. */
function reveal(text: string, values: ReadonlyMap<string, SecretValue>): unknown {
  const placeholders = findPlaceholders(text);
  const [first] = placeholders;
  const valueOf = (id: string | undefined): SecretValue => {
    const value = id === undefined ? undefined : values.get(id);
    if (value === undefined)
      throw new TaskError(
        'missing_secret',
        'A secret of this task is missing: enter it again, then publish.',
      );
    return value;
  };
  if (first && first.to - first.from === text.length) return valueOf(first.id);
  return placeholders.reduceRight(
    (revealed, { from, to, id }) => revealed.slice(0, from) + String(valueOf(id)) + revealed.slice(to),
    text,
  );
}

function redacted(error: TaskError, { text, json }: Redactor, named: Redactor): TaskError {
  const { code, retry, outcomeUnknown, details, output } = error;
  const shown = new TaskError(code, text(error.message), {
    retry,
    outcomeUnknown,
    ...(details === undefined ? {} : { details: json(details) }),
  });
  shown.output = output === undefined ? undefined : named.json(output);
  return shown;
}
