// Who may call a trigger (docs/webhooks.md, "Who may call"), through both doors and with bodies of real services.
import { createHmac } from 'node:crypto';
import examples from '@octokit/webhooks-examples';
import { describe, expect, it } from 'vitest';
import { createSecretBox } from '#lib/core/crypto/secret-box.ts';
import { sealNamedSecret } from '#lib/secrets/named-secret.ts';
import { sealSecret, secretIdOf } from '#lib/secrets/setting-secret.ts';
import { writePlaceholder } from '#lib/secrets/placeholder-format.ts';
import { insertWorkflow } from '#lib/testing/insert-workflow.ts';
import { ENCRYPTION_KEYS } from './testing/beside-sandbox.ts';
import { startForwardingProxy } from './testing/forwarding-proxy.ts';
import {
  chain,
  countEvents,
  db,
  DOORS,
  errorCode,
  eventOf,
  expectCommonHeaders,
  json,
  MEGABYTE,
  send,
  setUpDoors,
  startDoor,
  trigger,
} from './testing/webhook-doors.ts';

setUpDoors();

const SECRET = "It's a Secret to Everybody";
const box = createSecretBox(ENCRYPTION_KEYS);
const push = JSON.stringify(examples.find(({ name }) => name === 'push')?.examples[0]);
const hex = (text: string | Buffer, secret = SECRET): string =>
  createHmac('sha256', secret).update(text).digest('hex');
const github = (body: string | Buffer) => ({ ...json, 'x-hub-signature-256': `sha256=${hex(body)}` });
const headersOf = async (answer: { headers: Record<string, unknown> }): Promise<Record<string, string>> => {
  const { rows } = await db.$client.query<{ headers: Record<string, string> }>(
    'select headers from events where id = $1',
    [answer.headers['x-event-id']],
  );
  return rows[0]?.headers ?? {};
};

/** A workflow whose trigger's secret is stored like by the editor. */
async function insertSecured(settings: Record<string, unknown>, secret = SECRET) {
  const workspaceId = (await insertWorkflow(db.$client, chain(trigger()))).workspaceId;
  const id = secretIdOf(box, workspaceId, secret);
  await db.$client.query(
    'insert into setting_secrets (workspace_id, id, value_encrypted) values ($1, $2, $3) on conflict do nothing',
    [workspaceId, id, sealSecret(box, workspaceId, id, secret)],
  );
  const graph = chain(trigger({ ...settings, caller_secret: writePlaceholder(id) }));
  return insertWorkflow(db.$client, graph, workspaceId);
}

describe.each(DOORS)('who may call: %s', (door) => {
  it('a signed body starts a run, also when it is sent again', async () => {
    const { token } = await insertSecured({ caller_check: 'github' });
    for (const path of [`/webhook/${token}`, `/webhook/${token}`, `/webhook-test/${token}`]) {
      const answer = await send(door, path, { headers: github(push), body: push });
      expect([path, answer.status]).toEqual([path, 200]);
      expect(['triggered', 'tested']).toContain((await eventOf(answer))?.outcome);
    }
  });

  it('a secret of the workspace is named, and a new value of it counts within seconds', async () => {
    const graph = chain(trigger({ caller_check: 'github', caller_secret: '{{secret.github}}' }));
    const { token, workspaceId } = await insertWorkflow(db.$client, graph);
    const answer = async () =>
      (await send(door, `/webhook/${token}`, { headers: github(push), body: push })).status;
    const setValue = (value: string) =>
      db.$client.query(
        `insert into named_secrets (workspace_id, name, value_encrypted, set_by) values ($1, 'github', $2, 'test')
         on conflict (workspace_id, name) do update set value_encrypted = excluded.value_encrypted`,
        [workspaceId, sealNamedSecret(box, workspaceId, 'github', value)],
      );
    expect(await answer()).toBe(401);
    await setValue(SECRET);
    await expect.poll(answer, { interval: 250 }).toBe(200);
    await setValue('another value');
    await expect.poll(answer, { interval: 250 }).toBe(401);
  });

  it.each([
    ['a changed byte', { headers: github(push), body: `${push} ` }, /does not match/],
    ['no signature', { headers: json, body: push }, /x-hub-signature-256 is missing/],
    [
      'another secret',
      { headers: { ...json, 'x-hub-signature-256': `sha256=${hex(push, 'other')}` }, body: push },
      /does not match/,
    ],
  ])('%s is 401 invalid_signature at both URLs; the event has the reason', async (_, request, reason) => {
    const { token } = await insertSecured({ caller_check: 'github' });
    for (const path of [`/webhook/${token}`, `/webhook-test/${token}`]) {
      const answer = await send(door, path, {
        ...request,
        headers: { ...request.headers, cookie: 'session=planted' },
      });
      expect([answer.status, errorCode(answer)]).toEqual([401, 'invalid_signature']);
      expect(answer.body).toMatch(reason);
      expect(answer.body).not.toContain(SECRET);
      expectCommonHeaders(answer);
      expect(await eventOf(answer)).toMatchObject({
        outcome: 'rejected',
        reason: expect.stringMatching(reason) as string,
        body: Buffer.from(request.body),
        run_id: null,
      });
      const kept = JSON.stringify(await headersOf(answer));
      expect(kept).not.toContain('planted');
      expect(kept).not.toContain('sha256=');
    }
  });

  it('the signature is checked before the body is parsed', async () => {
    const { token } = await insertSecured({ caller_check: 'github' });
    const unsigned = await send(door, `/webhook/${token}`, { headers: json, body: 'no json' });
    expect(errorCode(unsigned)).toBe('invalid_signature');
    const signed = await send(door, `/webhook/${token}`, { headers: github('no json'), body: 'no json' });
    expect(errorCode(signed)).toBe('invalid_json');
  });

  it('a large body is checked over its bytes as well', async () => {
    const { token } = await insertSecured({ caller_check: 'github' });
    const body = Buffer.from(JSON.stringify({ text: 'x'.repeat(2 * MEGABYTE) }));
    const headers = github(body);
    expect((await send(door, `/webhook/${token}`, { headers, body })).status).toBe(200);
    body[100] = 0x79;
    expect((await send(door, `/webhook/${token}`, { headers, body })).status).toBe(401);
  });

  it('an old timestamp is refused, one within the tolerance accepted', async () => {
    const { token } = await insertSecured({ caller_check: 'stripe', timestamp_tolerance_seconds: 120 });
    const body = '{"id":"evt_1"}';
    const at = async (secondsAgo: number) => {
      const time = Math.round(Date.now() / 1000) - secondsAgo;
      const headers = { ...json, 'stripe-signature': `t=${time},v1=${hex(`${time}.${body}`)}` };
      return send(door, `/webhook/${token}`, { headers, body });
    };
    expect((await at(60)).status).toBe(200);
    const old = await at(600);
    expect([old.status, errorCode(old)]).toEqual([401, 'invalid_signature']);
    expect(old.body).toMatch(/seconds old: at most 120/);
  });

  it('a bearer token is asked for, and kept with no event', async () => {
    const { token } = await insertSecured({ caller_check: 'bearer' }, 'tok-planted-1');
    const call = (authorization: string) =>
      send(door, `/webhook/${token}`, { headers: { ...json, authorization }, body: '{}' });
    const right = await call('Bearer tok-planted-1');
    expect(right.status).toBe(200);
    const wrong = await call('Bearer tok-planted-2');
    expect([wrong.status, errorCode(wrong)]).toEqual([401, 'invalid_credentials']);
    expect(right.headers['www-authenticate']).toBeUndefined();
    expect(wrong.headers['www-authenticate']).toBe(
      'Bearer realm="Patchbay webhook", error="invalid_token", error_description="The token is not the one of the trigger"',
    );
    for (const answer of [right, wrong]) expect((await headersOf(answer))['authorization']).toBe('••••••');
  });

  it('a user name and a password are asked for (RFC 7617)', async () => {
    const { token } = await insertSecured({ caller_check: 'basic', caller_name: 'shop' }, 'pässword');
    const call = (pair: string) =>
      send(door, `/webhook/${token}`, {
        headers: { ...json, authorization: `Basic ${Buffer.from(pair).toString('base64')}` },
        body: '{}',
      });
    expect((await call('shop:pässword')).status).toBe(200);
    const wrong = await call('shop:password');
    expect([wrong.status, wrong.headers['www-authenticate']]).toEqual([
      401,
      'Basic realm="Patchbay webhook", charset="UTF-8"',
    ]);
  });

  it('behind proxies the caller is whom the outermost trusted one names', async () => {
    const settings = { allowed_addresses: '203.0.113.7, 2001:db8::/32' };
    const { token } = await insertWorkflow(db.$client, chain(trigger(settings)));
    const call = async (base: URL, forwarded?: string) => {
      const headers = { ...json, ...(forwarded !== undefined && { 'x-forwarded-for': forwarded }) };
      const url = new URL(`/webhook/${token}`, base).href;
      return (await send(door, url, { headers, body: '{}' })).status;
    };
    const [one, two] = [
      await startDoor(door, { TRUST_PROXY: 'on' }),
      await startDoor(door, { TRUST_PROXY: '2' }),
    ];
    const near = await startForwardingProxy(two.base);
    try {
      expect(await call(one.base)).toBe(403);
      for (const address of ['203.0.113.7', '::ffff:203.0.113.7', '2001:db8::1', '[2001:db8::1]:4711'])
        expect([address, await call(one.base, address)]).toEqual([address, 200]);
      expect(await call(one.base, '203.0.113.7, 198.51.100.1')).toBe(403);
      // The near proxy appends its caller, which acts as the far one: that one's entry is the caller.
      expect(await call(near.base, '203.0.113.7')).toBe(200);
      expect(await call(near.base, '198.51.100.1, 203.0.113.7')).toBe(200);
      expect(await call(near.base, '203.0.113.7, 198.51.100.1')).toBe(403);
      expect(await call(near.base)).toBe(403);
    } finally {
      await near.close();
      await Promise.all([one, two].map(({ process }) => process.stop()));
    }
  });

  it('an IPv4 address on a socket of IPv6 is the IPv4 address', async () => {
    const { token } = await insertWorkflow(db.$client, chain(trigger({ allowed_addresses: '127.0.0.0/8' })));
    const { base, process } = await startDoor(door, { HOST: '::' });
    const answer = await send(door, new URL(`/webhook/${token}`, base).href, { headers: json, body: '{}' });
    await process.stop();
    expect(answer.status).toBe(200);
  });

  it('an address that is not allowed is 403, whatever X-Forwarded-For says', async () => {
    const allowed = await insertWorkflow(db.$client, chain(trigger({ allowed_addresses: '127.0.0.0/8' })));
    const other = await insertWorkflow(db.$client, chain(trigger({ allowed_addresses: '203.0.113.7' })));
    const headers = { ...json, 'x-forwarded-for': '203.0.113.7' };
    expect((await send(door, `/webhook/${allowed.token}`, { headers, body: '{}' })).status).toBe(200);
    const answer = await send(door, `/webhook/${other.token}`, { headers, body: '{"secret":1}' });
    expect([answer.status, errorCode(answer)]).toEqual([403, 'address_not_allowed']);
    expect(await eventOf(answer)).toMatchObject({ outcome: 'rejected', body: null });
  });

  it('forms are accepted where they are switched on', async () => {
    const settings = { body_types: 'json_and_forms', response_body: 'Hello {{name}}' };
    const { token } = await insertWorkflow(db.$client, chain(trigger(settings)));
    const urlencoded = { 'content-type': 'application/x-www-form-urlencoded' };
    const answer = await send(door, `/webhook/${token}`, {
      headers: urlencoded,
      body: 'name=Ada+L&tag=a&tag=b',
    });
    expect([answer.status, answer.body]).toEqual([200, 'Hello Ada L']);
    expect((await eventOf(answer))?.body?.toString()).toBe('{"name":"Ada L","tag":["a","b"]}');
    const part = (head: string, text: string) =>
      `--b\r\nContent-Disposition: form-data; ${head}\r\n\r\n${text}\r\n`;
    const headers = { 'content-type': 'multipart/form-data; boundary=b' };
    const body = `${part('name="name"', 'Ada')}--b--\r\n`;
    expect((await send(door, `/webhook/${token}`, { headers, body })).body).toBe('Hello Ada');
    const withFile = `${part('name="f"; filename="a.txt"', 'x')}--b--\r\n`;
    const refused = await send(door, `/webhook/${token}`, { headers, body: withFile });
    expect([refused.status, errorCode(refused)]).toEqual([415, 'unsupported_media_type']);
  });

  it('a form is checked over the bytes as they arrived', async () => {
    const { token } = await insertSecured({ caller_check: 'github', body_types: 'json_and_forms' });
    const body = 'b=2&a=1';
    const headers = { ...github(body), 'content-type': 'application/x-www-form-urlencoded' };
    expect((await send(door, `/webhook/${token}`, { headers, body })).status).toBe(200);
    expect((await send(door, `/webhook/${token}`, { headers, body: 'a=1&b=2' })).status).toBe(401);
  });

  it('a website that is allowed may ask and read; another one may not', async () => {
    const settings = { allowed_origins: 'https://shop.example' };
    const { token, workflowId } = await insertWorkflow(db.$client, chain(trigger(settings)));
    const ask = (origin: string) =>
      send(door, `/webhook/${token}`, {
        method: 'OPTIONS',
        headers: {
          origin,
          'access-control-request-method': 'POST',
          'access-control-request-headers': 'content-type',
        },
      });
    const allowed = await ask('https://shop.example');
    expect([allowed.status, allowed.body]).toEqual([204, '']);
    expect(allowed.headers).toMatchObject({
      'access-control-allow-origin': 'https://shop.example',
      'access-control-allow-methods': 'POST',
      'access-control-allow-headers': 'content-type',
    });
    expect((await ask('https://evil.example')).status).toBe(405);
    expect(await countEvents(workflowId)).toBe(0);
    const headers = { ...json, origin: 'https://shop.example' };
    const answer = await send(door, `/webhook/${token}`, { headers, body: '[]' });
    expect(answer.status).toBe(400);
    expect(answer.headers['access-control-allow-origin']).toBe('https://shop.example');
    const other = await send(door, `/webhook/${token}`, {
      headers: { ...json, origin: 'https://evil.example' },
      body: '{}',
    });
    expect(other.headers['access-control-allow-origin']).toBeUndefined();
  });

  it('a check that was published or changed counts for the next request', async () => {
    const { token, workflowId } = await insertWorkflow(db.$client, chain(trigger()));
    const call = () => send(door, `/webhook/${token}`, { headers: json, body: '{}' });
    expect((await call()).status).toBe(200);
    const publish = async (version: number, settings: Record<string, unknown>) => {
      const graph = JSON.stringify(chain(trigger(settings)));
      await db.$client.query(
        `insert into workflow_versions (workflow_id, version, name, graph) values ($1, $2, 'Test', $3)`,
        [workflowId, version, graph],
      );
      await db.$client.query('update workflows set published_version = $2, draft = $3 where id = $1', [
        workflowId,
        version,
        graph,
      ]);
    };
    await publish(2, { caller_check: 'github', caller_secret: SECRET });
    const refused = await call();
    expect([refused.status, errorCode(refused)]).toEqual([401, 'invalid_signature']);
    expect(await eventOf(refused)).toMatchObject({ outcome: 'rejected', run_id: null });
    expect((await call()).status).toBe(401);
    await publish(3, {});
    expect((await call()).status).toBe(200);
    const form = { headers: { 'content-type': 'application/x-www-form-urlencoded' }, body: 'a=1' };
    expect((await send(door, `/webhook/${token}`, form)).status).toBe(415);
    await publish(4, { body_types: 'json_and_forms' });
    expect((await send(door, `/webhook/${token}`, form)).status).toBe(200);
  });
});
