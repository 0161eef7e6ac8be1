// Secrets of a workspace with a name: tasks use them as {{secret.name}}, and their values are never shown.
import type { Binding, SecretBox } from '#lib/core/crypto/secret-box.ts';
import { SECRET_NAME } from '#lib/variables/task-names.ts';

/** A secret without its value. */
export interface KnownSecret {
  name: string;
  /** The hosts that it may be sent to, with their ports; empty: any host that is written as text in the URL. */
  allowedHosts: readonly string[];
}

const PURPOSE = 'named_secret';

const bindingOf = (workspaceId: string, name: string): Binding => [workspaceId, PURPOSE, name];

/** How a task names a secret, and what is shown in place of its value. */
export const writeSecretVariable = (name: string): string => `{{${SECRET_NAME}.${name}}}`;

const VARIABLE = new RegExp(`^\\s*\\{\\{\\s*${SECRET_NAME}\\.([a-z][a-z0-9_]*)\\s*\\}\\}\\s*$`);

/** The name of the secret that is a text's only content; undefined for any other text. */
export const readSecretVariable = (text: string): string | undefined => VARIABLE.exec(text)?.[1];

/** Encrypts a value for its name and workspace: it cannot be decrypted for another one. */
export const sealNamedSecret = (
  secrets: SecretBox,
  workspaceId: string,
  name: string,
  value: string,
): string => secrets.seal(value, bindingOf(workspaceId, name));

/** @throws Error when its key is unknown */
export const openNamedSecret = (
  secrets: SecretBox,
  workspaceId: string,
  name: string,
  sealed: string,
): string => secrets.open(sealed, bindingOf(workspaceId, name));

// The hosts that a secret of the workspace may be sent to: `api.example.com`, `api.example.com:8443`.

const MAX_CHARACTERS = 255;

/** A host in comparable form, with its port unless that is 443; undefined: not a host. */
export function readAllowedHost(text: string): string | undefined {
  const entered = text.trim();
  if (entered.length > MAX_CHARACTERS || /[\s/?#\\@*]/.test(entered)) return undefined;
  return URL.parse(`https://${entered}`)?.host ?? undefined;
}

/** The list's host that matches a URL. */
export const findAllowedHost = (hosts: readonly string[], { host }: URL): string | undefined =>
  hosts.find((allowed) => allowed === host);
