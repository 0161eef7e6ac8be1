// Secrets of a workspace that people give a name: tasks name them as {{secret.name}}, and nothing shows their values.
import type { Binding, SecretBox } from '#lib/core/crypto/secret-box.ts';
import { SECRET_NAME } from '#lib/variables/task-names.ts';

/** What is known of a secret without its value. */
export interface KnownSecret {
  name: string;
  /** The hosts that it may be sent to, with their ports; empty: any host that stands as text in the URL. */
  allowedHosts: readonly string[];
}

const PURPOSE = 'named_secret';

const bindingOf = (workspaceId: string, name: string): Binding => [workspaceId, PURPOSE, name];

/** How a task names a secret, and what is shown in place of its value. */
export const writeSecretVariable = (name: string): string => `{{${SECRET_NAME}.${name}}}`;

const VARIABLE = new RegExp(`^\\s*\\{\\{\\s*${SECRET_NAME}\\.([a-z][a-z0-9_]*)\\s*\\}\\}\\s*$`);

/** The name of the secret that a text names and holds nothing else; undefined for any other text. */
export const readSecretVariable = (text: string): string | undefined => VARIABLE.exec(text)?.[1];

/** A value under its name: under another one, or in another workspace, it cannot be opened. */
export const sealNamedSecret = (
  secrets: SecretBox,
  workspaceId: string,
  name: string,
  value: string,
): string => secrets.seal(value, bindingOf(workspaceId, name));

/** @throws Error when its key is not among ours */
export const openNamedSecret = (
  secrets: SecretBox,
  workspaceId: string,
  name: string,
  sealed: string,
): string => secrets.open(sealed, bindingOf(workspaceId, name));
