import type { Binding, SecretBox } from '#lib/core/crypto/secret-box.ts';
import { ID_CHARACTERS } from './placeholder-format.ts';

const PURPOSE = 'setting_secret';

/** What a task's setting held before it was taken out. */
export type SecretValue = string | number;

const bindingOf = (workspaceId: string, id: string): Binding => [workspaceId, PURPOSE, id];

/** The same value has the same id in a workspace, so that saving it again changes nothing. */
export const secretIdOf = (secrets: SecretBox, workspaceId: string, value: SecretValue): string =>
  secrets.digest(JSON.stringify(value), [workspaceId, PURPOSE]).toString('base64url').slice(0, ID_CHARACTERS);

export const sealSecret = (secrets: SecretBox, workspaceId: string, id: string, value: SecretValue): string =>
  secrets.seal(JSON.stringify(value), bindingOf(workspaceId, id));

/** @throws Error when its key is not among ours */
export const openSecret = (
  secrets: SecretBox,
  workspaceId: string,
  id: string,
  sealed: string,
): SecretValue => JSON.parse(secrets.open(sealed, bindingOf(workspaceId, id))) as SecretValue;
