// A message that stops or gives consent is answered once, whatever happens to the worker that answers.
import { beforeEach, describe, expect, test } from 'vitest';
import { AppError } from '#lib/core/errors.ts';
import type { JobHandler } from '#lib/core/queue/job-consumer.ts';
import { setConsentSettings } from '#lib/messaging/consent/consent-settings.ts';
import { CONSENT_DEFAULTS } from '#lib/messaging/consent/consent-words.ts';
import { createConfirmationHandler } from '#lib/messaging/consent/confirmations.ts';
import { setHold } from '#lib/messaging/consent/holds.ts';
import { pruneMessaging } from '#lib/messaging/prune-messaging.ts';
import {
  newMessageId,
  notification,
  PHONE,
  setUpNotifications,
} from '#lib/messaging/testing/notifications.ts';
import { readCustomers, readTimeline } from '#lib/screens/read-customers.ts';

const CUSTOMER = '15550001111';
const STOPPED = 'You will get no more offers.';
const RESUMED = 'You get our offers again.';

const receiver = setUpNotifications();
const query = async <Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> =>
  (await receiver.world.runtime.hot.query<Row>(text, values)).rows;

let handler: JobHandler;
beforeEach(async () => {
  handler = createConfirmationHandler(receiver.world.runtime);
  await query(
    `delete from customer_consents; delete from consent_changes; delete from customer_holds; delete from consent_settings;
     delete from customer_names; delete from received_changes; delete from received_messages; delete from consent_confirmations;
     delete from sent_messages; delete from graphile_worker._private_jobs; delete from send_rates; delete from conversation_windows`,
  );
  await receiver.world.control('DELETE', 'faults');
  await setConsentSettings(receiver.world.ctx, {
    ...CONSENT_DEFAULTS,
    purpose: 'all',
    stop_confirmation: STOPPED,
    resume_confirmation: RESUMED,
  });
});

/** The customer writes, at the platform, too, so that its window is open. */
async function write(text: string, secondsAgo = 0): Promise<void> {
  await receiver.world.customerWrites(CUSTOMER, PHONE, { text });
  await receiver.deliver(
    notification({
      contacts: [{ wa_id: CUSTOMER, profile: { name: 'Kim' } }],
      messages: [
        {
          id: newMessageId(),
          from: CUSTOMER,
          timestamp: String(Math.floor(Date.now() / 1000) - secondsAgo),
          type: 'text',
          text: { body: text },
        },
      ],
    }),
  );
}

interface StoredJob {
  id: string;
  payload: unknown;
}

const findJobs = () =>
  query<StoredJob>(
    `select job.id, job.payload from graphile_worker._private_jobs job
     join graphile_worker._private_tasks task on task.id = job.task_id where task.identifier = $1 order by job.id`,
    [handler.task],
  );

/** Handles the jobs as a worker does. @returns how each ended */
const work = async () => {
  const jobs = await findJobs();
  return Promise.all(
    jobs.map(({ id, payload }) => handler.handle({ id, payload, failures: 0, task: handler.task })),
  );
};
const received = async (): Promise<string[]> => {
  const sent = await receiver.world.messages(`to=${CUSTOMER}`);
  return sent.map(({ text }) => text).filter((text) => text === STOPPED || text === RESUMED);
};
let before = 0;
beforeEach(async () => {
  before = (await received()).length;
});
const newlyReceived = async () => (await received()).slice(before);
const statuses = async () =>
  (await query<{ status: string }>('select status from consent_confirmations order by created_at, id')).map(
    ({ status }) => status,
  );
async function timeline() {
  const reader = { ...receiver.world.ctx, role: 'editor' as const, masksNumbers: false };
  const [customer] = (await readCustomers(reader, { limit: 1 }, { isList: false })).data;
  return (await readTimeline(reader, { id: customer?.id ?? '', limit: 50 })).data;
}

describe('a word that changes what the customer agreed to', () => {
  test('is answered once, although the customer just stopped, and is on the timeline', async () => {
    await write('Stop');
    expect(await findJobs()).toHaveLength(1);
    await work();
    expect(await newlyReceived()).toEqual([STOPPED]);
    // The same job again, as after a worker that died before it deleted the job.
    await work();
    expect(await newlyReceived()).toEqual([STOPPED]);
    expect((await timeline())[0]).toMatchObject({
      direction: 'sent',
      confirms: 'stopped',
      text: STOPPED,
      runs: [],
      problem: null,
    });
    await write('START');
    await work();
    expect(await newlyReceived()).toEqual([STOPPED, RESUMED]);
    expect((await timeline()).filter(({ confirms }) => confirms !== null)).toMatchObject([
      { confirms: 'given', text: RESUMED },
      { confirms: 'stopped', text: STOPPED },
    ]);
  });

  test('is not answered where it changes nothing, is late, or the text is empty', async () => {
    await write('Stop');
    await write('stop!');
    await write('hello');
    await write('START', 25 * 3600);
    expect(await findJobs()).toHaveLength(1);
    await setConsentSettings(receiver.world.ctx, { ...CONSENT_DEFAULTS, purpose: 'all' });
    await write('START');
    expect(await findJobs()).toHaveLength(1);
  });
});

describe('nothing is sent', () => {
  test('while the customer is on hold, and the timeline says so', async () => {
    await write('Stop');
    await setHold(receiver.world.ctx, { id: CUSTOMER, hours: null, reason: '' });
    expect(await work()).toEqual([undefined]);
    expect(await newlyReceived()).toEqual([]);
    expect((await timeline())[0]).toMatchObject({
      confirms: 'stopped',
      status: null,
      problem: 'It was not sent. The customer is on hold.',
    });
  });

  test('after the window has closed', async () => {
    await write('Stop');
    await query(`update consent_confirmations set window_closes_at = now() - interval '1 second'`);
    await work();
    expect(await newlyReceived()).toEqual([]);
    expect(await statuses()).toEqual(['not_sent']);
  });

  test('where the connection was removed', async () => {
    await write('Stop');
    await query('update consent_confirmations set connection_id = gen_random_uuid()');
    await work();
    expect(await query('select status, reason from consent_confirmations')).toEqual([
      { status: 'not_sent', reason: 'Its connection was removed.' },
    ]);
  });

  test('where the platform refuses it for good', async () => {
    await write('Stop');
    await receiver.world.control('POST', 'faults', {
      kind: 'error',
      code: 131026,
      path: '/messages',
      times: 1,
    });
    await work();
    expect(await newlyReceived()).toEqual([]);
    expect(await statuses()).toEqual(['not_sent']);
  });
});

describe('never doubled', () => {
  test('a send whose outcome is unknown is not repeated', async () => {
    await write('Stop');
    await receiver.world.control('POST', 'faults', { kind: 'drop', path: '/messages', times: 1 });
    expect(await work()).toEqual([undefined]);
    await work();
    expect(await statuses()).toEqual(['unknown']);
    expect((await timeline())[0]?.problem).toMatch(/^Nobody knows whether it was sent/);
    expect((await newlyReceived()).length).toBeLessThanOrEqual(1);
  });

  test('a worker that died after it recorded the send leaves it unknown', async () => {
    await write('Stop');
    await query(`update consent_confirmations set status = 'sending'`);
    await work();
    expect(await newlyReceived()).toEqual([]);
    expect(await statuses()).toEqual(['unknown']);
  });

  test('a refusal that passes is tried again, and leaves once', async () => {
    await write('Stop');
    await receiver.world.control('POST', 'faults', {
      kind: 'error',
      code: 131016,
      path: '/messages',
      times: 1,
    });
    expect(await work()).toEqual([{ failedBecause: expect.any(String) as string }]);
    expect(await statuses()).toEqual(['queued']);
    await work();
    expect(await newlyReceived()).toEqual([STOPPED]);
  });

  test('by two workers that hold the same job at once', async () => {
    for (let round = 0; round < 10; round += 1) {
      await write(round % 2 === 0 ? 'Stop' : 'Start');
      await Promise.all([work(), work(), work()]);
      await query('delete from graphile_worker._private_jobs; delete from send_rates');
    }
    expect(await newlyReceived()).toHaveLength(10);
    expect(new Set(await statuses())).toEqual(new Set(['sent']));
  });

  test('where the database fails while it is asked for holds, the job is repeated', async () => {
    await write('Stop');
    const [job] = await findJobs();
    const { hot } = receiver.world.runtime;
    const broken = Object.assign(Object.create(hot) as typeof hot, {
      query: (asked: string | { text: string }, ...more: unknown[]) =>
        (typeof asked === 'string' ? asked : asked.text).includes("'queued', 'sending'")
          ? Promise.reject(new AppError('internal', 'Broken'))
          : (hot.query as (...all: unknown[]) => unknown)(asked, ...more),
    });
    const failing = createConfirmationHandler({ ...receiver.world.runtime, hot: broken });
    await expect(
      failing.handle({ id: '1', payload: job?.payload, failures: 0, task: handler.task }),
    ).rejects.toThrow('Broken');
    await work();
    expect(await newlyReceived()).toEqual([STOPPED]);
  });
});

test('a confirmation goes with its message, or after 90 days', async () => {
  const { hot } = receiver.world.runtime;
  await write('Stop');
  await work();
  await query(`update consent_confirmations set created_at = now() - interval '2 days'`);
  await pruneMessaging(hot);
  expect(await statuses()).toEqual(['sent']);
  await query('delete from sent_messages');
  await pruneMessaging(hot);
  expect(await statuses()).toEqual([]);
});
