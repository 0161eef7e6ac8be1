import type * as z from 'zod';
import { AppError } from '#lib/core/errors.ts';
import type { ActorContext } from '#lib/identity/context.ts';
import { writeSecretVariable } from '#lib/secrets/named-secret.ts';
import { loadSecrets } from '#lib/secrets/load-secrets.ts';
import { findPlaceholders } from '#lib/secrets/placeholder-format.ts';
import { type moveToSecretSchema, secretInputSchema } from './schema.ts';
import { setSecret } from './set-secret.ts';

/**
 * Stores a credential of a task's settings as a named secret: in plain text, or as a placeholder of an encrypted one. The
 * caller changes the settings.
 * @returns the new text for the settings: `{{secret.name}}`
 * @throws AppError `conflict` when the name is taken; `not_found` for a placeholder without a value; `invalid_request`
 */
export async function moveToSecret(
  ctx: ActorContext,
  { name, value }: z.output<typeof moveToSecretSchema>,
): Promise<{ variable: string }> {
  const parsed = secretInputSchema.safeParse({ name, value: await revealed(ctx, value) });
  if (!parsed.success) {
    const message = parsed.error.issues[0]?.message ?? 'This value cannot be a secret.';
    throw new AppError('invalid_request', message, { problems: [{ path: 'name', message }] });
  }
  await setSecret(ctx, parsed.data, 'add');
  return { variable: writeSecretVariable(name) };
}

async function revealed({ db, secrets, workspaceId }: ActorContext, value: string): Promise<string> {
  const [placeholder] = findPlaceholders(value);
  if (!placeholder) return value;
  const { id } = placeholder;
  const source = { pool: db.$client, secrets, workspaceId };
  const stored = id === undefined ? undefined : (await loadSecrets(source, [id])).get(id);
  if (stored !== undefined && placeholder.to - placeholder.from === value.length) return String(stored);
  throw new AppError('not_found', 'The stored value is not there any more: enter it again.');
}
