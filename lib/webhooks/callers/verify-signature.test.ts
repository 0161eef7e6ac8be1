import { createHmac } from 'node:crypto';
import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import type { CallerSettings } from './caller-settings.ts';
import { createSignatureCheck, type SignatureCheck } from './verify-signature.ts';

interface Vector {
  check: SignatureCheck;
  settings: CallerSettings & { caller_secret: string };
  headers: Record<string, string>;
  body: string;
  /** Unix seconds at which it is received. */
  at: number;
}

const slackBody =
  'token=xyzz0WbapA4vBCDEFasx0q6G&team_id=T1DC2JH3J&team_domain=testteamnow&channel_id=G8PSS9T3V&channel_name=foobar&user_id=U2CERLKJA&user_name=roadrunner&command=%2Fwebhook-collect&text=&response_url=https%3A%2F%2Fhooks.slack.com%2Fcommands%2FT1DC2JH3J%2F397700885554%2F96rGlfmibIGlgcZRskXaIFfN&trigger_id=398738663015.47445629121.803a0bc887a14d10d2c447fce8b6703c';

const hmac = (key: string, text: string, encoding: 'hex' | 'base64', algorithm = 'sha256'): string =>
  createHmac(algorithm, key).update(text).digest(encoding);

const order = '{"id":1,"note":"ü"}';

/** Stripe's own libraries test with it (stripe-dotnet, `event_test_signature.json`). */
const stripeBody = `{
  "id": "evt_123",
  "object": "event",
  "account": "acct_123",
  "api_version": "2017-05-25",
  "created": 1533204620,
  "data": {
    "object": {
      "id": "cus_123",
      "object": "customer",
      "created": 123456789,
      "email": "test@stripe.com",
      "livemode": false,
      "metadata": {}
    }
  },
  "livemode": false,
  "pending_webhooks": 1,
  "request": {
    "id": "req_123",
    "idempotency_key": "idempotency-key-123"
  },
  "type": "customer.created"
}
`;

/**
 * The first four were published by the services, not computed here: GitHub "Validating webhook deliveries", Slack "Verifying
 * requests from Slack", the libraries of Standard Webhooks ("sign function works") and those of Stripe. Shopify publishes none.
 */
const vectors: Record<string, Vector> = {
  GitHub: {
    check: 'github',
    settings: { caller_secret: "It's a Secret to Everybody" },
    headers: {
      'x-hub-signature-256': 'sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17',
    },
    body: 'Hello, World!',
    at: 0,
  },
  Slack: {
    check: 'slack',
    settings: { caller_secret: '8f742231b10e8888abcd99yyyzzz85a5' },
    headers: {
      'x-slack-request-timestamp': '1531420618',
      'x-slack-signature': 'v0=a2114d57b48eac39b9ad189dd8316235a7b4a8d21a10bd27519666489c69b503',
    },
    body: slackBody,
    at: 1_531_420_618,
  },
  'Standard Webhooks': {
    check: 'standard_webhooks',
    settings: { caller_secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' },
    headers: {
      'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      'webhook-timestamp': '1614265330',
      'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    },
    body: '{"test": 2432232314}',
    at: 1_614_265_330,
  },
  Stripe: {
    check: 'stripe',
    settings: { caller_secret: 'webhook_secret' },
    headers: {
      'stripe-signature':
        't=1533204620,v1=2220f87ef101a04665f11cdf770523143f875572008577fa0f20882ddb9cc3c7,v0=63f3a72374a733066c4be69ed7f8e5ac85c22c9f0a6a612ab9a025a9e4ee7eef',
    },
    body: stripeBody,
    at: 1_533_204_620,
  },
  Shopify: {
    check: 'shopify',
    settings: { caller_secret: 'hush' },
    headers: { 'x-shopify-hmac-sha256': hmac('hush', order, 'base64') },
    body: order,
    at: 0,
  },
  'HMAC of the body': {
    check: 'hmac',
    settings: {
      caller_secret: 'hush',
      caller_header: 'X-Signature',
      signature_prefix: 'sha512=',
      signature_algorithm: 'sha512',
      signature_encoding: 'base64',
    },
    headers: { 'x-signature': `sha512=${hmac('hush', order, 'base64', 'sha512')}` },
    body: order,
    at: 0,
  },
  'HMAC with a timestamp': {
    check: 'hmac',
    settings: {
      caller_secret: 'hush',
      caller_header: 'X-Signature',
      timestamp_header: 'X-Time',
      timestamp_tolerance_seconds: 60,
    },
    headers: {
      'x-signature': hmac('hush', `1700000000.${order}`, 'hex').toUpperCase(),
      'x-time': '1700000000',
    },
    body: order,
    at: 1_700_000_000,
  },
};

const verify = ({ check, settings, headers, body, at }: Vector): string | undefined =>
  createSignatureCheck(check, settings).verify(headers, Buffer.from(body), new Date(at * 1000));

describe.each(Object.entries(vectors))('signature of %s', (_, vector) => {
  it('is accepted, as often as it is sent', () => {
    expect(verify(vector)).toBeUndefined();
    expect(verify(vector)).toBeUndefined();
  });

  it('is refused when one byte of the body is different', () => {
    expect(verify({ ...vector, body: `${vector.body} ` })).toMatch(/does not match/);
  });

  it('is the same over the parts of a body', async () => {
    const { check, settings, headers, body, at } = vector;
    const { verifyChunks } = createSignatureCheck(check, settings);
    const parts = (text: string) =>
      Readable.from(text.match(/[^]{1,7}/g) ?? []).map((part) => Buffer.from(part));
    const now = new Date(at * 1000);
    expect(await verifyChunks(headers, parts(body), now)).toBeUndefined();
    expect(await verifyChunks(headers, parts(`${body} `), now)).toMatch(/does not match/);
    expect(await verifyChunks({}, parts(body), now)).toMatch(/is missing/);
  });

  it('is refused with another secret', () => {
    const settings = { ...vector.settings, caller_secret: 'whsec_b3RoZXI=' };
    expect(verify({ ...vector, settings })).toMatch(/does not match/);
  });

  it('is refused when it is missing or empty, and never echoed', () => {
    expect(verify({ ...vector, headers: {} })).toMatch(/is missing/);
    for (const name of Object.keys(vector.headers)) {
      const problem = verify({ ...vector, headers: { ...vector.headers, [name]: 'made-up-value' } });
      expect(problem).toBeDefined();
      expect(problem).not.toContain('made-up-value');
    }
  });
});

const withTime = Object.entries(vectors).filter(([, { at }]) => at !== 0);

it.each(withTime)('%s: a timestamp is accepted within the tolerance, before and after', (_, vector) => {
  const tolerance = vector.settings.timestamp_tolerance_seconds ?? 300;
  for (const late of [-tolerance, tolerance])
    expect(verify({ ...vector, at: vector.at + late })).toBeUndefined();
  expect(verify({ ...vector, at: vector.at + tolerance + 1 })).toMatch(/seconds old: at most \d+/);
  expect(verify({ ...vector, at: vector.at - tolerance - 1 })).toMatch(/in the future/);
});

it('one of several signatures is enough, as while a secret is replaced', () => {
  const { Stripe, 'Standard Webhooks': standard } = vectors;
  if (!Stripe || !standard) throw new Error('The vectors are gone.');
  const other = 'a'.repeat(64);
  const stripe = Stripe.headers['stripe-signature']?.replace('v1=', `v1=${other},v1=`) ?? '';
  expect(verify({ ...Stripe, headers: { 'stripe-signature': stripe } })).toBeUndefined();
  const headers = {
    ...standard.headers,
    'webhook-signature': `v1a,x v1,${other} ${standard.headers['webhook-signature']}`,
  };
  expect(verify({ ...standard, headers })).toBeUndefined();
});

it('a Stripe signature of another scheme alone is refused', () => {
  const { Stripe } = vectors;
  const headers = { 'stripe-signature': 't=1492774577,v0=6ffbb59b' };
  expect(Stripe && verify({ ...Stripe, headers })).toMatch(/does not have the form/);
});

it('a secret that is none of Standard Webhooks is named as the reason', () => {
  const { 'Standard Webhooks': standard } = vectors;
  const settings = { caller_secret: 'not base64!' };
  expect(standard && verify({ ...standard, settings })).toMatch(
    /secret of the trigger is not one of this kind/,
  );
});
