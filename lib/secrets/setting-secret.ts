import type { Binding, SecretBox } from '#lib/core/crypto/secret-box.ts';
import { ID_CHARACTERS } from './placeholder-format.ts';

const PURPOSE = 'setting_secret';

/** The value that a task's setting had before it was encrypted. */
export type SecretValue = string | number;

const bindingOf = (workspaceId: string, id: string): Binding => [workspaceId, PURPOSE, id];

/** Derived from the value, so that saving the same one again changes nothing. */
export const secretIdOf = (secrets: SecretBox, workspaceId: string, value: SecretValue): string =>
  secrets.digest(JSON.stringify(value), [workspaceId, PURPOSE]).toString('base64url').slice(0, ID_CHARACTERS);

export const sealSecret = (secrets: SecretBox, workspaceId: string, id: string, value: SecretValue): string =>
  secrets.seal(JSON.stringify(value), bindingOf(workspaceId, id));

/** @throws Error when its key is unknown */
export const openSecret = (
  secrets: SecretBox,
  workspaceId: string,
  id: string,
  sealed: string,
): SecretValue => JSON.parse(secrets.open(sealed, bindingOf(workspaceId, id))) as SecretValue;
