// `patchbay api-key create`: a key of the REST API for an administrator of the machine, before the first sign-in.
import { createApiKey } from '#lib/identity/api-keys/api-keys.ts';
import type { ApiKeyInput } from '#lib/identity/api-keys/schema.ts';
import { COMMAND_LINE } from '#lib/identity/audit/record-audit.ts';
import { ensureFirstWorkspace } from '#lib/identity/workspaces/create-workspace.ts';
import { withDatabase } from './installation.ts';
import type { Output } from './output.ts';

/**
 * Creates a key of the first workspace and prints it, once. @throws AppError `invalid_request` where it would already have
 * expired
 */
export async function createKey(input: ApiKeyInput, output: Output): Promise<void> {
  const made = await withDatabase({ say: output.say }, async (db) =>
    createApiKey({ db, workspaceId: await ensureFirstWorkspace(db), actor: COMMAND_LINE }, input),
  );
  const ends = made.expires_at === null ? 'never expires' : `expires on ${made.expires_at}`;
  output.give(made, [
    `The API key “${made.name}” was created. It has the scope ${made.scope} and ${ends}. Copy it now: it is not shown again.`,
    `API key: ${made.key}`,
  ]);
}
