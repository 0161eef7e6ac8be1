// Credentials in settings that could name a secret of the workspace instead: in pairs such as headers, in bodies, and alone.
import type { Problem } from '#lib/core/errors.ts';
import { type Credential, findCredential, listCredentialsIn } from '#lib/secrets/find-credential.ts';
import { isRecord, listMarkedFields, type MarkedField } from './marked-fields.ts';
import { allowsSecrets } from './named-secrets.ts';
import type { TaskDefinition } from './task-definition.ts';
import { joinPath } from './variable-fields.ts';

type Definition = Pick<TaskDefinition, 'settings' | 'isTrigger'>;

export interface SettingCredential extends Credential {
  /** As in `settings.headers[0].value`. */
  path: string;
  /** Of the value, such as a header's: what a secret for it may be called. */
  name: string;
}

/** The credentials in a task's settings, which may be a draft's, that could be replaced by secrets of the workspace. */
export function listCredentials(definition: Definition, settings: unknown): SettingCredential[] {
  return listMarkedFields(definition.settings, settings, 'variables').flatMap((field) => {
    const path = field.path.reduce<string>(joinPath, 'settings');
    if (typeof field.value !== 'string' || !allowsSecrets(definition, path)) return [];
    return credentialsOf(field.value, field).map((credential) => ({ ...credential, path }));
  });
}

function credentialsOf(text: string, { path, meta, owner }: MarkedField): Omit<SettingCredential, 'path'>[] {
  const name = path.at(-1) === 'value' && isRecord(owner) ? owner['name'] : undefined;
  if (path.length === 1 && meta.secrets !== 'whole')
    return listCredentialsIn(text).map((each) => ({ ...each, name: each.name ?? 'token' }));
  const named = meta.secrets === 'whole' ? String(path.at(-1)) : name;
  const credential = typeof named === 'string' ? findCredential(text, named) : undefined;
  return credential ? [{ ...credential, name: named as string }] : [];
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
