// The only place where a task's settings get their secrets back: right before it is executed. What it says afterwards
// is recorded without them.
import { isDatabaseUnavailable } from '#lib/core/db/database-unavailable.ts';
import {
  TaskError,
  type TaskContext,
  type TaskExecutor,
  type TaskResult,
} from '#lib/engine/task-executor.ts';
import type { JsonObject } from '#lib/core/json/value.ts';
import { loadSecrets, type SecretSource } from '#lib/secrets/load-secrets.ts';
import { findPlaceholders, mapStrings } from '#lib/secrets/placeholder-format.ts';
import { createRedactor, type Redactor } from '#lib/secrets/redact.ts';
import { listSecretIds } from '#lib/secrets/list-secret-ids.ts';
import type { SecretValue } from '#lib/secrets/setting-secret.ts';

type Settings = Record<string, unknown>;

/** A version's settings are the same object in every run. */
const idsBySettings = new WeakMap<Settings, { hasSecrets: boolean; ids: string[] }>();

/** An executor that is handed the secrets of its task's settings. @param source where they are, of a workspace */
export function withSecrets(
  executor: TaskExecutor,
  source: (workspaceId: string) => Promise<SecretSource>,
): TaskExecutor {
  return {
    ...executor,
    execute: (context) => {
      const { hasSecrets, ids } = placeholdersOf(context.settings);
      return hasSecrets ? executeRevealed(executor, context, ids, source) : executor.execute(context);
    },
  };
}

async function executeRevealed(
  executor: TaskExecutor,
  context: TaskContext,
  ids: readonly string[],
  source: (workspaceId: string) => Promise<SecretSource>,
): Promise<TaskResult> {
  const values = await load(source(context.workspaceId), ids);
  const redactor = createRedactor(values);
  try {
    const settings = revealSettings(context.settings, values);
    const result = await executor.execute({ ...context, settings, ...hideSecrets(context, redactor) });
    return result.kind === 'loop' ? result : { ...result, runText: redactor.text(result.runText) };
  } catch (error) {
    throw error instanceof TaskError ? redacted(error, redactor) : error;
  }
}

/** What a run of the draft shows of a request has no secrets either. */
const hideSecrets = (context: TaskContext, redactor: Redactor): Pick<TaskContext, 'changeOutside'> => ({
  changeOutside: (effect, act) =>
    context.changeOutside({ ...effect, shown: () => redactor.json(effect.shown()) as JsonObject }, act),
});

/** @throws TaskError `unreadable_secret`; what the database says while it is away, upon which the task runs again. */
async function load(
  source: Promise<SecretSource>,
  ids: readonly string[],
): Promise<Map<string, SecretValue>> {
  try {
    return await loadSecrets(await source, ids);
  } catch (cause) {
    if (isDatabaseUnavailable(cause)) throw cause;
    const message =
      'A secret of this task cannot be read: enter it again, or restore its key in ENCRYPTION_KEYS.';
    throw new TaskError('unreadable_secret', message, { cause });
  }
}

function placeholdersOf(settings: Settings): { hasSecrets: boolean; ids: string[] } {
  const known = idsBySettings.get(settings);
  if (known) return known;
  let hasSecrets = false;
  mapStrings(settings, (text) => {
    hasSecrets ||= findPlaceholders(text).length > 0;
    return text;
  });
  const found = { hasSecrets, ids: listSecretIds({ tasks: [{ id: 0, type: '', name: '', settings }] }) };
  idsBySettings.set(settings, found);
  return found;
}

/** Whether settings hold places of secrets, which are filled in before their task is executed. */
export const needsSecrets = (settings: Settings): boolean => placeholdersOf(settings).hasSecrets;

/** Settings with their secrets. @throws TaskError `missing_secret` */
export const revealSettings = (settings: Settings, values: ReadonlyMap<string, SecretValue>): Settings =>
  mapStrings(settings, (text) => reveal(text, values));

/** A number that was taken out as a whole is a number again. */
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

function redacted(error: TaskError, { text, json }: Redactor): TaskError {
  const { code, retry, outcomeUnknown, details, output } = error;
  const shown = new TaskError(code, text(error.message), {
    retry,
    outcomeUnknown,
    ...(details === undefined ? {} : { details: json(details) }),
  });
  shown.output = output;
  return shown;
}
