import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createConnection } from '#lib/messaging/connections/create-connection.ts';
import { getConnection } from '#lib/messaging/connections/connections.ts';
import {
  type MessagingWorld,
  PLATFORM_IDS,
  startMessagingWorld,
} from '#lib/messaging/testing/messaging-world.ts';
import { failAction, runAction } from '#lib/messaging/testing/run-action.ts';

let world: MessagingWorld;
let base: Record<string, unknown>;

beforeAll(async () => {
  // Far more messages to one customer than the platform allows.
  world = await startMessagingWorld({ MESSAGING_PAIR_BURST: '10000' }, { pair_burst: 10_000 });
  const { id } = await world.connect();
  base = {
    app_connection_id: id,
    business_account_id: PLATFORM_IDS.books,
    phone_number_id: PLATFORM_IDS.booksOrders,
    recipient: '15550001111',
    action: 'send_template',
    template_name: 'hello_world',
  };
});
afterAll(() => world.end());
beforeEach(async () => {
  await world.control('DELETE', 'faults');
  // A message that was refused because of a rate delays the next ones, and one that was stopped stops them.
  await world.runtime.hot.query('delete from send_rates; delete from customer_consents');
});

const never = { kind: 'never' };
const backoff = { kind: 'backoff' };

describe('every code', () => {
  test.each([
    [10, {}, 'insufficient_permissions', 'Insufficient permissions', never],
    [200, {}, 'insufficient_permissions', 'Insufficient permissions', never],
    [299, {}, 'insufficient_permissions', 'Insufficient permissions', never],
    [100, { subcode: 33, http_status: 400 }, 'phone_number_not_found', 'Phone number ID not found', never],
    [33, { http_status: 404 }, 'phone_number_not_found', 'Phone number ID not found', never],
    [4, {}, 'rate_exceeded', 'Rate exceeded', backoff],
    [80007, {}, 'rate_exceeded', 'Rate exceeded', backoff],
    [80008, {}, 'rate_exceeded', 'Rate exceeded', backoff],
    [130429, { http_status: 400 }, 'rate_exceeded', 'Rate exceeded', backoff],
    [131056, { retry_after: 7 }, 'rate_exceeded', 'Rate exceeded', { kind: 'after', seconds: 7 }],
    [131048, {}, 'message_limited', 'The platform limits this message', never],
    [131049, {}, 'marketing_limited', 'Marketing limit of this customer', never],
    [368, { http_status: 403 }, 'account_restricted', 'Account restricted', never],
    [130497, { http_status: 403 }, 'account_restricted', 'Account restricted', never],
    [131031, { http_status: 403 }, 'account_restricted', 'Account restricted', never],
    [131042, {}, 'payment_problem', 'Payment problem', never],
    [131050, {}, 'customer_opted_out', 'The customer opted out of marketing', never],
    [130472, {}, 'platform_experiment', 'Withheld by an experiment of the platform', never],
    [131062, {}, 'number_needed', 'Customer’s phone number needed', never],
    [131047, {}, 'window_expired', 'Window expired', never],
    [132001, {}, 'template_not_found', 'Template not found', never],
    [132000, {}, 'invalid_parameters', 'Parameter mismatch', never],
    [132012, {}, 'invalid_parameters', 'Parameter mismatch', never],
    [131008, {}, 'invalid_parameters', 'Parameter mismatch', never],
    [131009, {}, 'invalid_parameters', 'Parameter mismatch', never],
    [100, {}, 'invalid_parameters', 'Parameter mismatch', never],
    [132015, {}, 'template_stopped', 'The template is paused or disabled', never],
    [132016, {}, 'template_stopped', 'The template is paused or disabled', never],
    [131051, {}, 'media_failure', 'Media failure', never],
    [131052, {}, 'media_failure', 'Media failure', never],
    [131053, {}, 'media_failure', 'Media failure', never],
    [131026, {}, 'delivery_failed', 'Delivery failed', never],
    [1, {}, 'platform_trouble', 'The platform reports a temporary problem', backoff],
    [2, {}, 'platform_trouble', 'The platform reports a temporary problem', backoff],
    [131000, {}, 'platform_trouble', 'The platform reports a temporary problem', backoff],
    [
      131016,
      { retry_after: 2 },
      'platform_trouble',
      'The platform reports a temporary problem',
      { kind: 'after', seconds: 2 },
    ],
    [133010, {}, 'number_not_registered', 'Phone number not registered', never],
    [999_999, { http_status: 429 }, 'rate_exceeded', 'Rate exceeded', backoff],
    [999_999, { http_status: 403 }, 'insufficient_permissions', 'Insufficient permissions', never],
    [999_999, { http_status: 404 }, 'phone_number_not_found', 'Phone number ID not found', never],
    [999_999, { http_status: 500 }, 'platform_trouble', 'The platform reports a temporary problem', backoff],
  ])('%i %o: %s', async (platformCode, more, code, words, retry) => {
    await world.control('POST', 'faults', {
      kind: 'error',
      code: platformCode,
      details: 'The details.',
      ...more,
    });
    const error = await failAction(world, base);
    expect(error).toMatchObject({ code, retry, outcomeUnknown: false, output: { action: 'send_template' } });
    expect(error.message.startsWith(`${words}: The details. `)).toBe(true);
    expect(error.details).toMatchObject({
      action: 'send_template',
      code: platformCode,
      platform_details: 'The details.',
      fbtrace_id: expect.any(String) as string,
      http_status: expect.any(Number) as number,
      ...('subcode' in more ? { subcode: more.subcode } : {}),
    });
  });

  test.each([502, 504])('HTTP %i: whether it was sent is not known', async (http_status) => {
    await world.control('POST', 'faults', { kind: 'error', code: 999_999, http_status });
    expect(await failAction(world, base)).toMatchObject({ code: 'answer_lost', outcomeUnknown: true });
  });

  test('190: one refresh and one repeat, then it needs reconnecting', async () => {
    const { id } = await world.connect({ accountId: null });
    await world.control('POST', 'faults', { kind: 'error', code: 190, subcode: 460, times: 2 });
    const error = await failAction(world, { ...base, app_connection_id: id });
    expect(error.message).toMatch(/^Invalid or expired access token: .* changed their password/);
    expect(error).toMatchObject({ code: 'invalid_token', retry: never });
    expect((await getConnection(world.ctx, { id })).status).toBe('needs_reconnecting');
    const next = await failAction(world, { ...base, app_connection_id: id });
    expect(next.message).toMatch(/^Invalid or expired access token: .*reconnected/);
  });

  test('190 in the middle of a run is recovered from silently', async () => {
    await world.control('POST', 'tokens/expire', { kind: 'access' });
    const { runText } = await runAction(world, base);
    expect(runText).toBe('Template sent successfully.');
  });
});

describe('spec, Errors', () => {
  test('phone id unknown: the words and HTTP 404', async () => {
    const error = await failAction(world, { ...base, phone_number_id: '12125550101' });
    expect(error.message).toMatch(/^Phone number ID not found: /);
    expect(error.details).toMatchObject({ http_status: 404 });
  });

  test('permission missing: the words and HTTP 403, for a missing role and a missing scope', async () => {
    const visitor = await world.connect({
      tokens: await world.mint({ account: 'visitor' }),
      accountId: null,
    });
    const role = await failAction(world, { ...base, app_connection_id: visitor.id });
    expect(role.message).toMatch(/^Insufficient permissions: /);
    expect(role.details).toMatchObject({ http_status: 403 });
    const limited = await world.connect({
      tokens: await world.mint({ scopes: ['chat_business_management'] }),
      accountId: null,
    });
    const scope = await failAction(world, { ...base, app_connection_id: limited.id });
    expect(scope.message).toMatch(/^Insufficient permissions: .*chat_business_messaging/);
  });

  test.each([
    ['nothing', ''],
    ['no id', 'my connection'],
    ['an unknown id', '00000000-0000-7000-8000-000000000000'],
  ])('no connection chosen (%s from the variable): the words', async (_, id) => {
    const error = await failAction(
      world,
      { ...base, app_connection_id: '{{task_1_connection}}' },
      { body: { connection: id } },
    );
    expect(error.message).toMatch(/^No app connection selected/);
    expect(error).toMatchObject({ code: 'no_connection', retry: never });
  });

  test("another workspace's connection is none", async () => {
    const other = world.openRuntime();
    const ctx = { ...world.contextOf(other), workspaceId: '00000000-0000-7000-8000-000000000001' };
    await other.hot.query('insert into workspaces (id, name) values ($1, $2)', [ctx.workspaceId, 'Other']);
    const { access_token } = await world.mint();
    const { id } = await createConnection(ctx, { name: 'Theirs', access_token });
    await other.close();
    expect((await failAction(world, { ...base, app_connection_id: id })).message).toMatch(
      /^No app connection selected/,
    );
  });

  test('the connection can be chosen by a variable (spec, Authentication 6)', async () => {
    const { runText } = await runAction(
      world,
      { ...base, app_connection_id: '{{task_1_connection}}' },
      { body: { connection: base['app_connection_id'] as string } },
    );
    expect(runText).toBe('Template sent successfully.');
  });
});

describe('when no answer comes', () => {
  test('a refused connection is not sent: it may be tried again', async () => {
    const elsewhere = world.openRuntime({ MESSAGING_GRAPH_URL: 'http://127.0.0.1:1' });
    const error = await failAction({ ...world, runtime: elsewhere }, base);
    await elsewhere.close();
    expect(error).toMatchObject({ code: 'platform_unreachable', retry: backoff, outcomeUnknown: false });
  });

  test('a name that is not found is not sent', async () => {
    const elsewhere = world.openRuntime({ MESSAGING_GRAPH_URL: 'http://no-such-host.invalid' });
    const error = await failAction({ ...world, runtime: elsewhere }, base);
    await elsewhere.close();
    expect(error).toMatchObject({ code: 'platform_unreachable', outcomeUnknown: false });
  });

  test.each([
    ['a connection that breaks', { kind: 'drop' }],
    ['an answer that is not JSON', { kind: 'malformed' }],
    ['an answer that comes too late', { kind: 'delay', delay_ms: 3000, when: 'after' }],
  ])('%s: unknown for a send, tried again for a read', async (_, fault) => {
    const impatient = world.openRuntime({ MESSAGING_TIMEOUT_SECONDS: '0.5' });
    await world.control('POST', 'faults', fault);
    const sent = await failAction({ ...world, runtime: impatient }, base);
    expect(sent).toMatchObject({ code: 'answer_lost', outcomeUnknown: true });
    expect(sent.message).toMatch(/not known whether it was carried out, so it is not repeated/);
    await world.control('POST', 'faults', fault);
    const read = await failAction({ ...world, runtime: impatient }, { ...base, action: 'get_templates' });
    expect(read).toMatchObject({ code: 'answer_lost', outcomeUnknown: false, retry: backoff });
    await impatient.close();
  });

  test('an installation without a platform says what to set', async () => {
    const unset = { ...world.runtime, platform: { ...world.runtime.platform, graphUrl: undefined } };
    expect((await failAction({ ...world, runtime: unset }, base)).message).toMatch(/MESSAGING_GRAPH_URL/);
  });
});
