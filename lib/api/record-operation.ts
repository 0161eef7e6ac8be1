import { recordAudit } from '#lib/identity/audit/record-audit.ts';
import type { Context } from '#lib/identity/context.ts';
import type { PathMatch } from './match-path.ts';

/** Writes what an operation did into the audit log, as its table says, under the name of what it was done to. */
export async function recordOperation(
  ctx: Context,
  { operation: { audit, isRecordedByVerb, status }, params }: PathMatch,
  { body, answer }: { body: unknown; answer: unknown },
): Promise<void> {
  if (audit === undefined || isRecordedByVerb) return;
  const actions = typeof audit === 'function' ? audit(body) : audit;
  const { id, name } = (answer ?? {}) as { id?: unknown; name?: unknown };
  const targetId = status === 201 ? id : params['id'];
  const target = {
    ...(typeof targetId === 'string' ? { id: targetId } : {}),
    ...(typeof name === 'string' ? { name } : {}),
  };
  for (const action of [actions].flat()) await recordAudit(ctx, action, target);
}
