// What the platform said of connections, narrowed to what an editor's draft uses: an account can have thousands of templates.
import type { WorkflowTask } from '#lib/engine/graph-types.ts';
import type { Context } from '#lib/identity/context.ts';
import { checkPlatform, loadPlatformFacts } from '#lib/messaging/connections/platform-facts.ts';
import { toMessagingContext } from '#lib/messaging/runtime.ts';
import type { ConnectionUse, PlatformFacts } from '#lib/messaging/schema/fact-types.ts';
import { listConnectionUses } from '#lib/tasks/connection-uses.ts';

/** However often editors ask, the platform is not asked more often about one connection. */
export const MIN_AGE_SECONDS = 5;

/** As of the last check, for the page: nobody waits for the platform. */
export async function readFacts(ctx: Context, tasks: readonly WorkflowTask[]): Promise<PlatformFacts> {
  const uses = listConnectionUses(tasks);
  const ids = uses.map(({ connectionId }) => connectionId);
  return narrow(await loadPlatformFacts(ctx, ids), uses);
}

/** With the platform asked about what was not checked within that time. */
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
