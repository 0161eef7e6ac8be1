// Only products with the same responses are compared.
import { isDeepStrictEqual } from 'node:util';
import { postOrder } from '../peers/wait.ts';
import type { System } from './system.ts';

/** Posts the order to each system. @throws Error that shows both responses where one differs from the first. */
export async function assertSameAnswers(systems: readonly System[], flow: string): Promise<void> {
  const answers = await Promise.all(
    systems.map(async (system) => ({
      name: system.name,
      answer: await postOrder(system.urlsOf(flow)[0] ?? ''),
    })),
  );
  const [first] = answers;
  for (const other of answers) {
    if (other.answer?.status === 200 && isDeepStrictEqual(contentOf(other), contentOf(first))) continue;
    throw new Error(`The answers to ${flow} differ: ${JSON.stringify(first)} and ${JSON.stringify(other)}.`);
  }
}

const contentOf = (from: { answer: { body: string } | null } | undefined): unknown =>
  JSON.parse(from?.answer?.body ?? 'null');
