// Runs in its own thread: posts webhooks or notifications at a steady rate, independent of earlier responses, over as many
// connections as necessary. Plain sockets, because it has to send five times as much as a server can answer.
import { connect, type Socket } from 'node:net';
import { parentPort, workerData } from 'node:worker_threads';
import { newId } from '#lib/core/ids.ts';
import type { Prepared } from '../http/client.ts';
import { PHONE, toMessageChange, toNotification } from '../webhooks/platform-notification.ts';

/** One body again and again, or signed notifications with this many messages of customers each. */
export type Sent = { body: string } | { messages: number };

/** What was acknowledged. */
export interface Acknowledged {
  eventIds: readonly string[];
  /** Of the messages in notifications. */
  messageIds: readonly string[];
}

export interface FloodOptions {
  url: string;
  sent: Sent;
  /** Infinity: as fast as they are answered. */
  ratePerSecond: number;
  seconds: number;
  maxConnections: number;
}

export interface Flooded extends Acknowledged {
  /** Requests that were due. */
  due: number;
  /** Those for which there was a connection. */
  sent: number;
  /** Number of responses by status; 0: the connection broke without one. */
  statuses: Record<number, number>;
  /** Errors of connections that broke without a response. */
  breaks: Record<string, number>;
  /** Requests that were never answered on open connections. */
  unanswered: number;
  /** Refused webhooks whose response has no Retry-After. The platform sends notifications again by its own clock. */
  withoutRetryAfter: number;
}

const TICK_MS = 2;
/**
 * A connection without a response may still wait in the accept queue. The kernel resets some when the queue overflows: it has
 * 4,096 places (`net.core.somaxconn`), and 8,000 connections in half a second on a fast core were too many.
 */
const MOST_NEW = 3500;
/** Time to wait for responses after the last request. */
const PATIENCE_MS = 60_000;
const HEAD_END = '\r\n\r\n';
const CUSTOMERS = 1000;

interface Request {
  bytes: Buffer;
  /** Undefined: of a webhook, whose response has the id of its event. */
  messageIds?: readonly string[];
}

const { url, sent, ratePerSecond, seconds, maxConnections } = workerData as FloodOptions;
const { hostname, port, pathname, host } = new URL(url);
const toBytes = ({ body, headers }: Prepared): Buffer =>
  Buffer.from(
    [
      `POST ${pathname} HTTP/1.1`,
      `Host: ${host}`,
      'Content-Type: application/json',
      ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
      `Content-Length: ${Buffer.byteLength(body)}${HEAD_END}${body}`,
    ].join('\r\n'),
  );
const next = 'body' in sent ? sameAgain(sent.body) : () => makeNotification(sent.messages);
const acknowledged = { eventIds: [] as string[], messageIds: [] as string[] };
const flooded: Flooded = {
  due: 0,
  sent: 0,
  statuses: {},
  breaks: {},
  unanswered: 0,
  withoutRetryAfter: 0,
  ...acknowledged,
};
const idle: Socket[] = [];
let connections = 0;
let underWay = 0;
/** Connections without a response yet. */
const unanswered = new Set<Socket>();

function sameAgain(body: string): () => Request {
  const request = { bytes: toBytes({ body, headers: {} }) };
  return () => request;
}

function makeNotification(messages: number): Request {
  const messageIds = Array.from({ length: messages }, () => `wamid.${newId()}`);
  const changes = messageIds.map((id, place) =>
    toMessageChange(PHONE, id, String(15_550_000_000 + ((flooded.sent * messages + place) % CUSTOMERS))),
  );
  return { messageIds, bytes: toBytes(toNotification(changes)) };
}

function count(status: number): void {
  underWay -= 1;
  flooded.statuses[status] = (flooded.statuses[status] ?? 0) + 1;
}

function open(): Socket {
  const socket = connect(Number(port), hostname);
  connections += 1;
  unanswered.add(socket);
  socket.setNoDelay(true);
  let received = '';
  socket.on('data', (chunk) => {
    received += chunk.toString('latin1');
    const headEnd = received.indexOf(HEAD_END);
    if (headEnd < 0) return;
    const head = received.slice(0, headEnd);
    const bodyBytes = Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? 0);
    if (received.length < headEnd + HEAD_END.length + bodyBytes) return;
    received = '';
    const status = Number(head.slice(9, 12));
    if (status < 300) keep(isBusy.get(socket)?.messageIds, head);
    else if ('body' in sent && !/\r\nretry-after: \d+/i.test(head)) flooded.withoutRetryAfter += 1;
    count(status);
    isBusy.delete(socket);
    unanswered.delete(socket);
    if (/\r\nconnection: close/i.test(head)) socket.destroy();
    else idle.push(socket);
  });
  let cause = 'closed';
  socket.on('error', (error: NodeJS.ErrnoException) => (cause = error.code ?? error.message));
  socket.on('close', () => {
    connections -= 1;
    unanswered.delete(socket);
    if (!isBusy.delete(socket)) return;
    count(0);
    flooded.breaks[cause] = (flooded.breaks[cause] ?? 0) + 1;
  });
  return socket;
}

const isBusy = new Map<Socket, Request>();

function keep(messageIds: readonly string[] | undefined, head: string): void {
  if (messageIds) acknowledged.messageIds.push(...messageIds);
  else acknowledged.eventIds.push(/\r\nx-event-id: (\S+)/i.exec(head)?.[1] ?? '');
}

function send(): void {
  let socket = idle.pop();
  while (socket?.destroyed) socket = idle.pop();
  if (connections < maxConnections && unanswered.size < MOST_NEW) socket ??= open();
  if (!socket) return;
  const request = next();
  flooded.sent += 1;
  underWay += 1;
  isBusy.set(socket, request);
  socket.write(request.bytes);
}

const startedAt = performance.now();
let endedAt = Infinity;
const timer = setInterval(() => {
  const elapsed = Math.min((performance.now() - startedAt) / 1000, seconds);
  if (endedAt === Infinity) {
    const due =
      ratePerSecond === Infinity ? flooded.due + maxConnections - underWay : elapsed * ratePerSecond;
    for (; flooded.due < Math.floor(due); flooded.due += 1) send();
  }
  if (elapsed < seconds) return;
  if (endedAt === Infinity) {
    endedAt = performance.now();
    parentPort?.postMessage('sent');
  }
  if (underWay > 0 && performance.now() - endedAt < PATIENCE_MS) return;
  clearInterval(timer);
  flooded.unanswered = underWay;
  for (const socket of [...idle, ...isBusy.keys()]) socket.destroy();
  parentPort?.postMessage(flooded);
}, TICK_MS);
