// A rolling upgrade, and the way back, under load.
import { setTimeout as sleep } from 'node:timers/promises';
import { isOpenRunSql } from '#lib/engine/run-statuses.ts';
import { check, settles, type Verdict } from '../chaos/check.ts';
import { checkConversations, type ConversationVerdict } from '../chaos/conversations/check.ts';
import { prepareWorkflows } from '../chaos/workflows.ts';
import { Load } from '../failover/load.ts';
import { Conversing } from './conversing.ts';
import { World } from './world.ts';

/** Maximum duration of the steps between two phases of load. */
const STEPS_SECONDS = 60;
const NO_WORKFLOW = { id: '00000000-0000-0000-0000-000000000000', webhook: { production_url: '' } };

export interface Step {
  name: string;
  seconds: number;
  /** Webhooks that were sent during it, without those of conversations. */
  acknowledged: number;
  /** Failed attempts; each is retried once after a second, or according to Retry-After. */
  failed: number;
  /** Their HTTP statuses; 0: the connection broke. */
  failedStatuses: number[];
  /** The longest time without an acknowledged webhook. */
  longestGapMs: number;
  /** Open runs at its end. */
  open: number;
}

export interface PlayedUpgrade {
  steps: Step[];
  orders: Verdict;
  conversations: ConversationVerdict;
  /** Webhooks whose retry failed, too. */
  uncured: number;
  unexpectedEnds: number;
}

interface Releases {
  previous: string;
  current: string;
}

/**
 * Needs both releases built.
 * @param folder for data and logs
 * @param seconds of load between two steps
 */
export async function playUpgrade(
  folder: string,
  { previous, current }: Releases,
  { seconds, say = () => undefined }: { seconds: number; say?: (line: string) => void },
): Promise<PlayedUpgrade> {
  const world = await World.start(folder);
  try {
    await world.patchbay(previous, 'migrate');
    await world.startAll(previous);
    const load = new Load(await prepareWorkflows(world.calls));
    const conversing = await Conversing.prepare(world, seconds * 4 + STEPS_SECONDS);
    const steps: Step[] = [];
    const step = async (name: string, work: () => Promise<unknown>): Promise<void> => {
      const startedAt = Date.now();
      await work();
      const done = { ...measure(name, load, startedAt), open: await countOpen(world) };
      steps.push(done);
      say(JSON.stringify(done));
    };
    const publish = (): Promise<unknown> =>
      world.calls.api('POST', `/workflows/${load.workflows.computing.id}/publish`, {});
    const stay = (): Promise<unknown> => Promise.all([sleep(seconds * 1000), publish()]);

    load.start();
    conversing.start();
    await step('previous release', stay);
    await step('migration, previous release runs', () => world.patchbay(current, 'migrate'));
    await step('previous release, new tables', stay);
    await step('processes replaced by new ones', () => world.replaceAll(current));
    await step('new release', stay);
    await step('processes replaced by old ones', () => world.replaceAll(previous));
    await step('previous release again', stay);
    await load.stop();
    await conversing.stopStarting();
    await settles(() => countOpen(world));
    await conversing.customers.stop();

    const verdicts = {
      // Customers' messages also start workflows of that name; the check of conversations reads those texts.
      orders: await check(world, {
        acknowledged: load.acknowledged,
        written: [],
        workflows: { ...load.workflows, answering: NO_WORKFLOW },
      }),
      conversations: await checkConversations(world, {
        eventIds: conversing.eventIds,
        answers: conversing.customers.answers,
        workflowId: conversing.workflow.id,
      }),
    };
    await world.end();
    return { steps, ...verdicts, uncured: load.uncured.length, unexpectedEnds: world.unexpectedEnds };
  } catch (error) {
    await world.end();
    throw error;
  }
}

function measure(name: string, load: Load, startedAt: number): Omit<Step, 'open'> {
  const now = Date.now();
  const during = load.attempts.filter(({ endedAt }) => endedAt >= startedAt);
  const acknowledged = during.filter(({ isAcknowledged }) => isAcknowledged);
  const instants = [startedAt, ...acknowledged.map(({ endedAt }) => endedAt).toSorted((a, b) => a - b), now];
  const gaps = instants.slice(1).map((at, index) => at - (instants[index] ?? at));
  return {
    name,
    seconds: Math.round((now - startedAt) / 100) / 10,
    acknowledged: acknowledged.length,
    failed: during.length - acknowledged.length,
    failedStatuses: during.filter(({ isAcknowledged }) => !isAcknowledged).map(({ status }) => status),
    longestGapMs: Math.max(0, ...gaps),
  };
}

const countOpen = async ({ db }: World): Promise<number> =>
  (
    await db.$client.query<{ count: number }>(
      `select count(*)::int as count from runs where ${isOpenRunSql('status')}`,
    )
  ).rows[0]?.count ?? 0;
