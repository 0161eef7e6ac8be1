// The invariants of conversations, checked against the database and the platform's own log.
import type { Product } from '../product.ts';
import { settles, STUCK_RUNS } from '../check.ts';
import { openQueries } from '../open-queries.ts';
import { type Answers, listMessages } from './customers.ts';
import { type Conversation, countCopies, findProblems, isFlagged, usedAnswers } from './judge.ts';
import { readSaid } from './workflow.ts';

export interface ConversationVerdict {
  acknowledged: number;
  /** Acknowledged webhooks without a run. */
  lost: number;
  /** Events with several runs, messages that a customer got twice, and answers that two questions used. */
  doubled: number;
  /** Runs that have not ended. */
  stuck: number;
  stuckRuns: unknown[];
  /** Conversations that stopped because a send has an unknown outcome. */
  flagged: number;
  /** Conversations that followed the customer's answers to the end. */
  completed: number;
  /** All other conversations, with the reason. */
  wrong: number;
  problems: string[];
  messages: number;
  reminders: number;
  answers: number;
}

interface Conversed {
  /** Acknowledged webhooks. */
  eventIds: readonly string[];
  /** By the customer's number. */
  answers: ReadonlyMap<string, Answers>;
  workflowId: string;
}

export async function checkConversations(
  product: Pick<Product, 'db' | 'calls'>,
  { eventIds, answers, workflowId }: Conversed,
): Promise<ConversationVerdict> {
  const { rowsOf, countOpen, countLost, countDoubled } = openQueries(product);
  await settles(countOpen);

  const sent = await listMessages(product.calls, 'out');
  const conversations = await rowsOf<Conversation>(CONVERSATIONS, [workflowId]);
  const byCustomer = Map.groupBy(sent, ({ customer }) => customer);
  const problems = conversations.flatMap((each) =>
    findProblems(each, byCustomer.get(each.phone) ?? [], answers.get(each.phone) ?? {}).map(
      (problem) => `${each.phone}: ${problem}`,
    ),
  );
  const used = conversations.flatMap(usedAnswers);
  return {
    acknowledged: eventIds.length,
    lost: await countLost(eventIds),
    doubled:
      (await countDoubled()) +
      [...byCustomer.values()].reduce((total, messages) => total + countCopies(messages), 0) +
      (used.length - new Set(used).size),
    stuck: await countOpen(),
    stuckRuns: await rowsOf(STUCK_RUNS),
    flagged: conversations.filter(isFlagged).length,
    completed: conversations.filter(({ status }) => status === 'succeeded').length,
    wrong: problems.length,
    problems,
    messages: sent.length,
    reminders: sent.filter(({ text }) => readSaid(text) === 'reminder').length,
    answers: used.length,
  };
}

const CONVERSATIONS = `
select convert_from(e.body, 'UTF8')::json ->> 'phone' as phone, r.status,
  (select coalesce(json_agg(json_build_object('id', t.task_id, 'status', t.status, 'branch', t.branch, 'output', t.output::json)
    order by t.task_id), '[]') from task_runs t where t.run_id = r.id) as tasks
from runs r join events e on e.id = r.event_id
where r.workflow_id = $1 and r.status in ('succeeded', 'failed', 'cancelled')`;
