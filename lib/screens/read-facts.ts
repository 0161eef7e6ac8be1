// The platform's data about connections, limited to what an editor's draft uses: an account can have thousands of templates.
import type { WorkflowTask } from '#lib/engine/graph-types.ts';
import type { Context } from '#lib/identity/context.ts';
import { checkPlatform, loadPlatformFacts } from '#lib/messaging/connections/platform-facts.ts';
import { toMessagingContext } from '#lib/messaging/runtime.ts';
import type { ConnectionUse, PlatformFacts } from '#lib/messaging/schema/fact-types.ts';
import { listConnectionUses } from '#lib/tasks/connection-uses.ts';

/** Minimum time between queries of the platform about one connection, however many editors are open. */
export const MIN_AGE_SECONDS = 5;

/** From the last check, for the page: it does not wait for the platform. */
export async function readFacts(ctx: Context, tasks: readonly WorkflowTask[]): Promise<PlatformFacts> {
  const uses = listConnectionUses(tasks);
  const ids = uses.map(({ connectionId }) => connectionId);
  return narrow(await loadPlatformFacts(ctx, ids), uses);
}

/** Queries the platform where the last check is older. */
export const askForFacts = async (
  ctx: Context,
  uses: readonly ConnectionUse[],
  maxAgeMs: number,
): Promise<PlatformFacts> => narrow(await checkPlatform(toMessagingContext(ctx), uses, maxAgeMs), uses);

function narrow(facts: PlatformFacts, uses: readonly ConnectionUse[]): PlatformFacts {
  const narrowed = uses.map(({ connectionId, templateNames }) => {
    const known = facts[connectionId] ?? null;
    const accounts = (known?.accounts ?? []).map((account) => ({
      ...account,
      templates: account.templates.filter(({ name }) => templateNames.includes(name)),
      narrowedTo: [...templateNames],
    }));
    return [connectionId, known && { ...known, accounts }] as const;
  });
  return Object.fromEntries(narrowed);
}
