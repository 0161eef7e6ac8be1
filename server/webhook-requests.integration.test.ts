// Requests in forms that HTTP allows but few clients use, and requests to wrong addresses, through both doors.
import { describe, expect, it } from 'vitest';
import { insertWorkflow } from '#lib/testing/insert-workflow.ts';
import { type RawAnswer, rawRequest, writeThenRead } from './testing/raw-request.ts';
import {
  addressOf,
  chain,
  countEvents,
  db,
  DOORS,
  errorCode,
  expectCommonHeaders,
  json,
  send,
  setUpDoors,
  trigger,
} from './testing/webhook-doors.ts';

/** Sent by Java's HttpClient and `curl --http2` with the first request over http. */
const OFFERS_H2C = [
  'Connection: Upgrade, HTTP2-Settings',
  'Upgrade: h2c',
  'HTTP2-Settings: AAMAAABkAAQAoAAAAAIAAAAA',
];
const JSON_TYPE = 'Content-Type: application/json';

setUpDoors();

describe.each(DOORS)('webhook door: %s', (door) => {
  const sendRaw = (requestLine: string, lines: string[] = [], body = ''): Promise<RawAnswer> =>
    writeThenRead(addressOf(door), rawRequest(requestLine, lines, body));
  const newWebhook = () => insertWorkflow(db.$client, chain(trigger({ response_body: '{{a}}' })));

  describe('a request that offers an upgrade to h2c is answered as HTTP/1.1 (RFC 9110, 7.8)', () => {
    it('a webhook, with its body, before and after a page was served', async () => {
      const { token } = await newWebhook();
      const post = () =>
        sendRaw(`POST /webhook/${token} HTTP/1.1`, [...OFFERS_H2C, JSON_TYPE], '{"a":"read"}');
      expect(await post()).toMatchObject({ status: 200, body: 'read' });
      expect((await send(door, '/welcome', { method: 'GET' })).status).toBe(200);
      expect(await post()).toMatchObject({ status: 200, body: 'read' });
    });

    it('a page, and any other protocol', async () => {
      expect((await send(door, '/welcome', { method: 'GET' })).status).toBe(200);
      expect((await sendRaw('GET /welcome HTTP/1.1', OFFERS_H2C)).status).toBe(200);
      const webSocket = ['Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Version: 13'];
      expect((await sendRaw('GET /welcome HTTP/1.1', webSocket)).status).toBe(200);
    });
  });

  describe('targets in absolute form (RFC 9112, 3.2.2)', () => {
    it('a webhook is reached, whatever host is named', async () => {
      const { token } = await newWebhook();
      for (const origin of ['http://localhost', 'HTTP://example.com:8080', 'https://example.com']) {
        const answer = await sendRaw(`POST ${origin}/webhook/${token} HTTP/1.1`, [JSON_TYPE], '{"a":"read"}');
        expect(answer).toMatchObject({ status: 200, body: 'read' });
      }
    });

    it('a page and the health check are reached', async () => {
      expect((await sendRaw('GET http://localhost/welcome?a=b HTTP/1.1')).status).toBe(200);
      expect((await sendRaw('GET http://localhost/healthz HTTP/1.1')).body).toContain('ok');
      expect((await sendRaw('GET http://localhost HTTP/1.1')).status).toBeLessThan(400);
    });

    it('what names no http address is 400', async () => {
      for (const target of ['ftp://localhost/x', 'http://user@localhost/x', '*'])
        expect((await sendRaw(`OPTIONS ${target} HTTP/1.1`)).status).toBe(400);
    });
  });

  it('several Host headers are 400, wherever they are sent (RFC 9112, 3.2)', async () => {
    const { token } = await newWebhook();
    for (const line of [`POST /webhook/${token} HTTP/1.1`, 'GET /healthz HTTP/1.1', 'GET /sign-in HTTP/1.1'])
      for (const host of ['Host: localhost', 'hOST: other.example']) {
        const answer = await sendRaw(line, [host, JSON_TYPE], '{"a":"read"}');
        expect([line, answer.status, errorCode(answer)]).toEqual([line, 400, 'invalid_request']);
      }
  });

  describe('what can be read nowhere', () => {
    it.each([
      '/resume/%E0%A4%A',
      '/files/%ff',
      '/workflows/%E0%A4%A',
      '/api/v1/workflows/%E0%A4%A',
      '/api/auth/%ff',
      '/hooks/messaging/%ff',
      '/%',
    ])('%s is 400: after %% stands what is not UTF-8', async (path) => {
      const answer = await sendRaw(`GET ${path} HTTP/1.1`);
      expect([answer.status, errorCode(answer)]).toEqual([400, 'invalid_request']);
    });

    it.each(['TRACE', 'PROPFIND'])('%s is 405, wherever it is sent', async (method) => {
      for (const path of [
        '/',
        '/workflows',
        '/resume/abc',
        '/api/v1/workflows',
        '/api/mcp',
        '/api/auth/session',
      ]) {
        const answer = await sendRaw(`${method} ${path} HTTP/1.1`);
        expect([path, answer.status, errorCode(answer)]).toEqual([path, 405, 'method_not_allowed']);
      }
    });
  });

  describe('addresses below /webhook/ that no webhook has', () => {
    it.each(['//TOKEN', '/TOKEN/more', '/TOKEN//', '/', '/%00', '/a%2Fb', '/..%2fTOKEN', '/a\\b'])(
      '%s is 404 unknown_webhook',
      async (rest) => {
        const { token } = await newWebhook();
        for (const start of ['/webhook', '/webhook-test']) {
          const line = `POST ${start}${rest.replace('TOKEN', token)} HTTP/1.1`;
          const answer = await sendRaw(line, [JSON_TYPE], '{}');
          expect([answer.status, errorCode({ ...answer, headers: {} })]).toEqual([404, 'unknown_webhook']);
        }
      },
    );

    it('a slash at the end, or a query, makes no difference', async () => {
      const { token } = await newWebhook();
      for (const end of ['/', '?a=b', '/?a=b']) {
        const answer = await send(door, `/webhook/${token}${end}`, { headers: json, body: '{"a":"read"}' });
        expect([answer.status, answer.body]).toEqual([200, 'read']);
      }
    });
  });

  describe('forms', () => {
    const multipart = { 'content-type': 'multipart/form-data; boundary=x' };
    const plain = { 'content-type': 'application/x-www-form-urlencoded' };
    const forms = [
      '--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n--x--\r\n',
      '--x\r\nContent-Disposition: form-data; name="$ACTION_ID_00"\r\n\r\n\r\n--x--\r\n',
      '--x\r\nContent-Disposition: form-data; name="$ACTION_REF_1"\r\n\r\n\r\n--x--\r\n',
      '--x\r\nbroken',
      '',
    ];

    it('posted to a page are 405, whatever they hold', async () => {
      for (const path of ['/', '/sign-in', '/workflows', '/no-such-page']) {
        for (const body of forms) {
          const answer = await send(door, path, { headers: multipart, body });
          expect([path, answer.status, errorCode(answer)]).toEqual([path, 405, 'method_not_allowed']);
        }
        const answer = await send(door, path, { headers: plain, body: 'a=1' });
        // Its form may be sent before the page's scripts have loaded: the page is shown again.
        expect([path, answer.status]).toEqual([path, path === '/sign-in' ? 303 : 405]);
      }
      expect((await sendRaw('POST //sign-in HTTP/1.1', ['Content-Type: multipart/form-data'])).status).toBe(
        405,
      );
    });

    it('that name an action which does not exist, or cannot be read, are never 500', async () => {
      for (const action of ['', 'x', '0'.repeat(42)]) {
        for (const body of forms) {
          const answer = await send(door, '/sign-in', {
            headers: { ...multipart, 'next-action': action },
            body,
          });
          expect(Math.floor(answer.status / 100)).toBe(4);
        }
      }
    });

    it('that call an action from a page of another site are 403', async () => {
      for (const origin of ['https://other.example', 'null']) {
        const headers = { 'next-action': '0'.repeat(42), 'content-type': 'text/plain', origin };
        const answer = await send(door, '/sign-in', { headers, body: '[]' });
        expect([origin, answer.status, errorCode(answer)]).toEqual([origin, 403, 'forbidden']);
      }
    });

    it('posted to a webhook are 415, to an unknown one 404', async () => {
      const { token, workflowId } = await newWebhook();
      for (const body of forms) {
        const known = await send(door, `/webhook/${token}`, { headers: multipart, body });
        expect([known.status, errorCode(known)]).toEqual([415, 'unsupported_media_type']);
        const unknown = await send(door, '/webhook/a/b', { headers: multipart, body });
        expect([unknown.status, errorCode(unknown)]).toEqual([404, 'unknown_webhook']);
        expectCommonHeaders(unknown);
      }
      expect(await countEvents(workflowId)).toBe(forms.length);
    });
  });
});
