import { expect, test } from 'vitest';
import { TaskError } from '#lib/engine/task-executor.ts';
import { sendRecorded } from './suppressed.ts';

/** Calls in their order. */
async function trySending(fails: { beforeRequest?: Error; request?: Error; hasNoEffect?: boolean }) {
  const calls: string[] = [];
  const note = (call: string, error?: Error) => async (): Promise<void> => {
    calls.push(call);
    if (error) throw error;
  };
  const task = { recordSideEffect: note('record'), withdrawSideEffect: note('withdraw') };
  const send = async (beforeSending: () => Promise<void>): Promise<void> => {
    await beforeSending();
    await note('request', fails.request)();
  };
  const sent = sendRecorded(task, send, {
    assertAllowed: note('assert', fails.beforeRequest),
    hadNoEffect: () => fails.hasNoEffect === true,
  });
  const error = await sent.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  return { calls, error };
}

const outage = new Error('Connection terminated unexpectedly');

test('a message that may be sent is recorded before its request', async () => {
  expect(await trySending({})).toEqual({ calls: ['record', 'assert', 'request'], error: undefined });
});

test.each([new TaskError('quiet_hours', 'Later.'), outage])(
  'whatever keeps a message from its request, the record is withdrawn: %s',
  async (error) => {
    const tried = await trySending({ beforeRequest: error });
    expect(tried).toEqual({ calls: ['record', 'assert', 'withdraw'], error });
  },
);

test('the record of a request that failed stays, unless nothing was changed', async () => {
  const unknown = await trySending({ request: outage });
  expect(unknown).toEqual({ calls: ['record', 'assert', 'request'], error: outage });
  const refused = await trySending({ request: outage, hasNoEffect: true });
  expect(refused.calls).toEqual(['record', 'assert', 'request', 'withdraw']);
});
