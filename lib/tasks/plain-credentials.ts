// Credentials in settings that could name a secret of the workspace instead: in pairs of name and value, such as headers.
import type { Problem } from '#lib/core/errors.ts';
import { type Credential, findCredential } from '#lib/secrets/find-credential.ts';
import { isRecord, listMarkedFields } from './marked-fields.ts';
import { allowsSecrets } from './named-secrets.ts';
import type { TaskDefinition } from './task-definition.ts';
import { joinPath } from './variable-fields.ts';

type Definition = Pick<TaskDefinition, 'settings' | 'isTrigger'>;

export interface SettingCredential extends Credential {
  /** As in `settings.headers[0].value`. */
  path: string;
  /** Of the pair. */
  name: string;
}

/** The credentials in a task's settings, which may be a draft's, that a secret of the workspace could take the place of. */
export function listCredentials(definition: Definition, settings: unknown): SettingCredential[] {
  return listMarkedFields(definition.settings, settings, 'variables').flatMap(({ path, value, owner }) => {
    const written = path.reduce<string>(joinPath, 'settings');
    if (path.at(-1) !== 'value' || typeof value !== 'string' || !allowsSecrets(definition, written))
      return [];
    const name = isRecord(owner) ? owner['name'] : undefined;
    const credential = typeof name === 'string' ? findCredential(value, name) : undefined;
    return credential ? [{ ...credential, path: written, name: name as string }] : [];
  });
}

/** Those that would stay readable for everybody in the workspace: saving a draft stores only what is sure to be one encrypted. */
export const listReadableCredentials = (definition: Definition, settings: unknown): Problem[] =>
  listCredentials(definition, settings)
    .filter(({ isGuess }) => isGuess)
    .map(({ path, name }) => ({
      path,
      message: `The value of ${name} looks like a key, and everybody in the workspace can read it. Move it to a secret.`,
    }));

/** Credentials that a file contains as plain text. */
export const listCredentialsInFile = (definition: Definition, settings: unknown): Problem[] =>
  listCredentials(definition, settings)
    .filter(({ isStored }) => !isStored)
    .map(({ path, name }) => ({
      path,
      message: `The value of ${name} looks like a key in plain text. Add it in Settings → Secrets, and write {{secret.name}} in the file.`,
    }));
