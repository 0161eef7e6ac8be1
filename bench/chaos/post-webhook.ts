import { type Agent, request } from 'node:http';

const ANSWER_PATIENCE_MS = 5000;

/** @returns the event's id when it was acknowledged. */
export function postWebhook(agent: Agent, url: string, webhook: object): Promise<string | undefined> {
  const body = JSON.stringify(webhook);
  return new Promise((resolve) => {
    const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
    const options = { method: 'POST', agent, headers, timeout: ANSWER_PATIENCE_MS };
    const sent = request(url, options, (response) => {
      response.resume();
      response.on('error', () => resolve(undefined));
      response.on('end', () =>
        resolve(response.statusCode === 200 ? String(response.headers['x-event-id']) : undefined),
      );
    });
    sent.on('timeout', () => sent.destroy());
    sent.on('error', () => resolve(undefined));
    sent.end(body);
  });
}
