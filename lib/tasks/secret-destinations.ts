// Where a task may send the workspace's secrets. Callers of a webhook control its variables, so that a variable never chooses
// the host that gets a secret, unless the secret itself allows that host.
import type { KnownSecret } from '#lib/secrets/named-secret.ts';
import { findAllowedHost } from '#lib/secrets/allowed-hosts.ts';
import type { StoredSettings, TaskDefinition } from './task-definition.ts';

/** Scheme and host that stand there as text, up to what ends them (WHATWG URL, "host"): nothing behind can be part of them. */
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

/** Why a secret whose hosts are listed may not go to a URL, as it is called; undefined: it may. */
export function findRefusal(url: URL, { name, allowedHosts }: KnownSecret): string | undefined {
  if (findAllowedHost(allowedHosts, url)) return undefined;
  return `The secret ${name} must not be sent to ${url.host}: it is only for ${HOSTS.format(allowedHosts)}. Change the URL, or the secret's allowed hosts in Settings → Secrets.`;
}
