import { and, eq } from 'drizzle-orm';
import { AppError } from '#lib/core/errors.ts';
import { recordAudit } from '#lib/identity/audit/record-audit.ts';
import type { ActorContext } from '#lib/identity/context.ts';
import { namedSecrets } from '#lib/secrets/schema.ts';
import { listSecretUses } from './list-secret-uses.ts';
import { noSuchSecret } from './set-secret.ts';

/**
 * Deletes an unused secret.
 * @throws AppError `not_found`; `conflict`, which names the workflows that use it
 */
export async function deleteSecret(ctx: ActorContext, { name }: { name: string }): Promise<void> {
  const { workspaceId } = ctx;
  await ctx.db.transaction(async (tx) => {
    const [deleted] = await tx
      .delete(namedSecrets)
      .where(and(eq(namedSecrets.workspaceId, workspaceId), eq(namedSecrets.name, name)))
      .returning({ name: namedSecrets.name });
    if (!deleted) throw noSuchSecret(name);
    const users = (await listSecretUses(tx, workspaceId)).get(name) ?? [];
    if (users.length > 0)
      throw new AppError(
        'conflict',
        `The secret ${name} is used by ${describeUsers(users)}: remove it there first.`,
        {
          problems: users.map((user) => ({ path: `workflows.${user.id}`, message: user.name })),
        },
      );
    await recordAudit(ctx, tx, 'secret.deleted', { id: name, name });
  });
}

const LISTS = new Intl.ListFormat('en');

function describeUsers(users: readonly { name: string }[]): string {
  const [shown, others] = [users.slice(0, 3).map(({ name }) => `"${name}"`), users.length - 3];
  if (others > 0) shown.push(others === 1 ? 'another workflow' : `${others} other workflows`);
  return LISTS.format(shown);
}
