// The messaging platform as cheap as it can be: accepts every message, and answers every other POST with a constant. `GET /log`
// returns what it accepted and reported, `GET /counts` how much, and the last request. With STATUSES_URL it reports that every
// message was sent, delivered and read, in signed notifications of at most STATUSES_PER_REQUEST statuses, over
// REPORTING_CONNECTIONS connections. It answers after ANSWER_MS.
import { setTimeout as wait } from 'node:timers/promises';
import { openClient } from '../http/client.ts';
import { createJsonServer, type Request } from '../http/server.ts';
import { type Status, STATUSES, toNotification, toStatusChange } from '../webhooks/platform-notification.ts';

const RETRY_MS = 100;

const {
  PORT,
  STATUSES_URL = '',
  STATUSES_PER_REQUEST = '1',
  REPORTING_CONNECTIONS = '1',
  ANSWER_MS = '0',
} = process.env;
const connections = Number(REPORTING_CONNECTIONS);
const started = Date.now();
const messages: { id: string; to: string }[] = [];
const log = { messages, calls: 0, reported: 0, refused: 0 };
let last = { path: '', body: '' };
const due: Status[] = [];
const client = openClient(STATUSES_URL, connections);
let reporting = 0;

const server = createJsonServer((request) => {
  const answer = answerTo(request);
  return ANSWER_MS === '0' ? answer : wait(Number(ANSWER_MS), answer);
});

function answerTo({ method, url, body }: Request): string {
  if (method === 'GET' && url === '/log') return JSON.stringify(log);
  if (method === 'GET' && url === '/counts')
    return JSON.stringify({ ...log, messages: messages.length, last });
  const [path = ''] = url.split('?');
  last = { path, body };
  if (path.endsWith('/messages')) return accept(url, body);
  log.calls += 1;
  return '{"status":"received"}';
}

function accept(url: string, body: string): string {
  const to = /"to":"(\d+)"/.exec(body)?.[1] ?? '';
  const id = `wamid.${started}.${process.pid}.${messages.length + 1}`;
  messages.push({ id, to });
  if (STATUSES_URL !== '') {
    due.push({ id, to, phone: /\/(\d+)\/messages/.exec(url)?.[1] ?? '', status: STATUSES[0] });
    // After the response: a status never precedes the acceptance.
    setImmediate(reportAll);
  }
  return `{"messaging_product":"whatsapp","contacts":[{"input":"${to}","wa_id":"${to}"}],"messages":[{"id":"${id}"}]}`;
}

function reportAll(): void {
  while (reporting < connections && due.length > 0) {
    reporting += 1;
    void report(due.splice(0, Number(STATUSES_PER_REQUEST))).finally(() => {
      reporting -= 1;
      reportAll();
    });
  }
}

/** Once they are acknowledged, the next status of each message is due; those that are not are reported again. */
async function report(statuses: readonly Status[]): Promise<void> {
  const request = toNotification(statuses.map(toStatusChange));
  if ((await client.post(request).catch(() => 0)) !== 200) {
    log.refused += statuses.length;
    await wait(RETRY_MS);
    due.unshift(...statuses);
    return;
  }
  log.reported += statuses.length;
  for (const each of statuses) {
    const status = STATUSES[STATUSES.indexOf(each.status) + 1];
    if (status) due.push({ ...each, status });
  }
}

server.listen(Number(PORT), '127.0.0.1', () => process.send?.({ type: 'ready' }));
process.on('disconnect', () => process.exit(0));
