import { describe, expect, it } from 'vitest';
import { isForm, MAX_DECISION_BYTES, readDecision } from './record-decision.ts';

const post = (body: string, type: string | null = 'application/json'): Request =>
  new Request('http://patchbay.test/resume/x', {
    method: 'POST',
    body: new TextEncoder().encode(body),
    headers: type === null ? {} : { 'content-type': type },
  });

describe('a decision', () => {
  it.each([
    ['{"decision":"approve"}', 'approved', ''],
    ['{"decision":"reject","comment":" Too late\\r\\nfor that\\u0000 "}', 'rejected', 'Too late\nfor that'],
    ['{"decision":"approve","comment":null}', 'approved', ''],
  ])('%s', async (body, decision, comment) => {
    expect(await readDecision(post(body))).toMatchObject({ decision, comment });
  });

  it('keeps everything that came with it, digit by digit', async () => {
    const body = '{"decision":"approve","id":12345678901234567890,"by":{"name":"Kim"}}';
    expect(await readDecision(post(body, 'application/vnd.acme+json; charset=utf-8'))).toMatchObject({
      body,
    });
    expect(await readDecision(post(body, null))).toMatchObject({ body });
  });

  it('comes from the page as a form', async () => {
    const request = post('decision=reject&comment=Not+now', 'application/x-www-form-urlencoded');
    expect(isForm(request)).toBe(true);
    expect(await readDecision(request)).toEqual({
      decision: 'rejected',
      comment: 'Not now',
      body: '{"decision":"reject","comment":"Not now"}',
    });
  });

  it('is not read where it is compressed', async () => {
    const request = post('{"decision":"approve"}');
    request.headers.set('content-encoding', 'gzip');
    await expect(readDecision(request)).rejects.toMatchObject({
      code: 'unsupported_media_type',
      message: 'Content-Encoding is not supported: send the body as it is.',
    });
  });

  it.each([
    ['{}', 'application/json', 'invalid_request', 'Set "decision" to "approve" or "reject".'],
    ['{"decision":"approved"}', 'application/json', 'invalid_request', 'Set "decision" to'],
    ['{"decision":"approve","comment":7}', 'application/json', 'invalid_request', 'Set "comment" to a text'],
    [
      JSON.stringify({ decision: 'approve', comment: 'x'.repeat(2001) }),
      'application/json',
      'invalid_request',
      'longer than 2,000 characters',
    ],
    ['["approve"]', 'application/json', 'body_not_object', 'send one such as {"decision":"approve"}'],
    ['approve', 'application/json', 'invalid_json', 'line 1'],
    ['', 'application/json', 'invalid_json', 'Unexpected end'],
    ['<approve/>', 'text/xml', 'unsupported_media_type', 'Content-Type is "text/xml": send application/json'],
    ['comment=Yes', 'application/x-www-form-urlencoded', 'invalid_request', 'Set "decision" to'],
    [
      `{"decision":"approve","more":"${'x'.repeat(MAX_DECISION_BYTES)}"}`,
      'application/json',
      'body_too_large',
      '65,536 bytes',
    ],
  ])('%.40s as %s is refused: %s', async (body, type, code, message) => {
    await expect(readDecision(post(body, type))).rejects.toMatchObject({
      code,
      message: expect.stringContaining(message) as string,
    });
  });
});
