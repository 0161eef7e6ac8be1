// Secrets of the workspace in a task's settings: only allowed where the metadata says so (`namedSecrets`).
import type { Problem } from '#lib/core/errors.ts';
import { findAllowedHost, type KnownSecret, writeSecretVariable } from '#lib/secrets/named-secret.ts';
import type { Reference } from '#lib/variables/references.ts';
import type { VariableScope } from '#lib/variables/scope.ts';
import { SECRET_NAME } from '#lib/variables/task-names.ts';
import { TASK_DEFINITIONS } from './registry.ts';
import type { StoredSettings, TaskDefinition } from './task-definition.ts';
import { listVariableFields, referencesOf } from './variable-fields.ts';

// Where a task may send the workspace's secrets. Callers of a webhook control its variables, so that a variable never chooses
// the host that gets a secret, unless the secret itself allows that host.

/**
 * Scheme and host as literal text, including the character that ends them (WHATWG URL, "host"), so that nothing after it can be
 * part of them.
 */
const LITERAL_ORIGIN = /^https?:\/\/(?:[^\s/?#\\@{}]*@)?[^\s/?#\\@{}]+(?=[/?#]|$)/i;

const HOSTS = new Intl.ListFormat('en', { type: 'disjunction' });

/** The scheme and host of a variable text that is a URL; undefined where a variable may change them. */
export function readLiteralOrigin(text: string): URL | undefined {
  const [origin] = LITERAL_ORIGIN.exec(text.trim()) ?? [];
  return (origin === undefined ? undefined : URL.parse(origin)) ?? undefined;
}

/**
 * Why a secret may not be sent to the URL of a task's settings, for their editor; undefined: it may, or only the run knows
 * (`findRefusal`).
 */
export function findDestinationProblem(
  { secretsGoTo }: Pick<TaskDefinition, 'secretsGoTo'>,
  settings: StoredSettings,
  { name, allowedHosts }: KnownSecret,
): string | undefined {
  const text = secretsGoTo === undefined ? undefined : settings[secretsGoTo];
  if (typeof text !== 'string' || text.trim() === '') return undefined;
  const origin = readLiteralOrigin(text);
  if (origin) return allowedHosts.length === 0 ? undefined : findRefusal(origin, { name, allowedHosts });
  if (allowedHosts.length > 0) return undefined;
  return `A variable chooses where the secret ${name} is sent: enter the scheme and host as text, such as https://api.example.com/{{task_1_path}}, or list the secret's allowed hosts in Settings → Secrets.`;
}

/** Why a secret with listed hosts may not be sent to a URL; undefined: it may. */
export function findRefusal(url: URL, { name, allowedHosts }: KnownSecret): string | undefined {
  if (findAllowedHost(allowedHosts, url)) return undefined;
  return `The secret ${name} must not be sent to ${url.host}: it is only for ${HOSTS.format(allowedHosts)}. Change the URL, or the secret's allowed hosts in Settings → Secrets.`;
}

/** The parts of a task type that define the use of secrets. */
export type SecretRules = Pick<TaskDefinition, 'settings' | 'isTrigger' | 'secretsGoTo'>;

/** A secret that a setting names. */
export interface SecretUse {
  /** Starts with `settings`, as in `settings.headers[0].value`. */
  path: string;
  name: string;
  /** Why it cannot be used like this. */
  problem: string | undefined;
}

/** Whether the setting at a path, such as `settings.headers[0].value`, may use secrets of the workspace. */
export function allowsSecrets({ settings: { shape } }: SecretRules, path: string): boolean {
  const [, setting = ''] = /^settings\.(\w+)/.exec(path) ?? [];
  return Object.hasOwn(shape, setting) && metaOf(shape[setting])?.namedSecrets === true;
}

/** The secrets in a task's settings (possibly a draft's), each as often as it is used. */
export function listSecretUses(definition: SecretRules, settings: StoredSettings): SecretUse[] {
  return listVariableFields(definition.settings, settings).flatMap((field) =>
    referencesOf(field)
      .filter((reference) => isSecret(reference, definition))
      .map((reference) => ({
        path: field.path,
        name: reference.path[0] ?? '',
        problem: findProblem(reference, allowsSecrets(definition, field.path)),
      })),
  );
}

/** The names of the secrets that a task's settings use, each once. */
export const listSecretNames = (definition: SecretRules, settings: StoredSettings): string[] => [
  ...new Set(listSecretUses(definition, settings).flatMap(({ name }) => name || [])),
];

/** A scope for display: each secret renders as `{{secret.name}}`. */
export function withSecretNames(scope: VariableScope, names: readonly string[]): VariableScope {
  if (names.length === 0) return scope;
  const shown = Object.fromEntries(names.map((name) => [name, writeSecretVariable(name)]));
  return { resolve: (name) => (name === SECRET_NAME ? shown : scope.resolve(name)) };
}

/** Problems with the secrets that a task's settings name, for their editor. */
export const listSecretProblems = (definition: SecretRules, settings: unknown): Problem[] =>
  listSecretUses(definition, settings as StoredSettings).flatMap(({ path, problem }) =>
    problem === undefined ? [] : [{ path, message: problem }],
  );

/** Secrets in settings that the workspace does not have. @param known the workspace's secrets, by name */
export const listUnknownSecrets = (
  definition: SecretRules,
  settings: StoredSettings,
  known: ReadonlyMap<string, KnownSecret>,
): Problem[] =>
  listSecretUses(definition, settings)
    .filter(({ name, problem }) => problem === undefined && !known.has(name))
    .map(({ path, name }) => ({
      path,
      message: `There is no secret ${name}: add it in Settings → Secrets, or select another one.`,
    }));

/** Existing secrets that would be sent to a host where they are not allowed. */
export const listMisdirectedSecrets = (
  definition: SecretRules,
  settings: StoredSettings,
  known: ReadonlyMap<string, KnownSecret>,
): Problem[] => {
  const path = `settings.${definition.secretsGoTo ?? ''}`;
  return listSecretNames(definition, settings).flatMap((name) => {
    const secret = known.get(name);
    const message = secret && findDestinationProblem(definition, settings, secret);
    return message === undefined ? [] : [{ path, message }];
  });
};

/** In its response a field of the trigger's body may be called `secret`, too (spec, "Variables"). */
const isSecret = ({ name, path }: Reference, { isTrigger }: SecretRules): boolean =>
  name === SECRET_NAME && !(isTrigger && path.length === 0);

function findProblem({ path, isAlone }: Reference, isAllowed: boolean): string | undefined {
  const written = `{{${[SECRET_NAME, ...path].join('.')}}}`;
  if (!isAllowed) return `${written}: a secret can be used only in ${describePlaces()}.`;
  const [name, ...rest] = path;
  if (name === undefined || rest.length > 0)
    return `${written}: enter the name of one secret, such as ${writeSecretVariable('stripe_key')}.`;
  if (isAlone) return undefined;
  return `${written}: a secret can be used only as it is, ${writeSecretVariable(name)}, without formatting or blocks.`;
}

const LISTS = new Intl.ListFormat('en');

/** "Query parameters, Headers and Body content of HTTP request tasks". */
function describePlaces(): string {
  const places = [...TASK_DEFINITIONS.values()].flatMap(({ name, isTrigger, settings }) => {
    const titles = Object.values(settings.shape).flatMap((schema) => {
      const meta = metaOf(schema);
      return meta?.namedSecrets ? [`"${meta.title ?? ''}"`] : [];
    });
    return titles.length === 0
      ? []
      : [`${LISTS.format(titles)} of ${isTrigger ? 'triggers' : `${name} tasks`}`];
  });
  return LISTS.format(new Set(places));
}

const metaOf = (schema: unknown) => (schema as TaskDefinition['settings'] | undefined)?.meta();
