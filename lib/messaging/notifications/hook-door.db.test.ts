// The door in front of a real server: how much of what arrives it holds at once.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { ANSWER_HEADERS } from '#lib/core/http/answer-headers.ts';
import { parseSettings } from '#lib/core/env.ts';
import { openRuntime } from '#lib/core/process-runtime.ts';
import {
  message,
  newMessageId,
  notification,
  setUpNotifications,
} from '#lib/messaging/testing/notifications.ts';
import { untilWaiting } from '#lib/testing/until-waiting.ts';
import { openHookDoor } from './hook-door.ts';

const receiver = setUpNotifications();
const AT = 1_700_000_000;

/** A server whose process holds at most this many bytes. @returns what posts a notification, with the status of its answer */
async function openServer(maxBytesInFlight: number): Promise<(body: string) => Promise<number>> {
  const { variables, runtime: opened } = receiver.world;
  const settings = parseSettings({ ...variables, MAX_BYTES_IN_FLIGHT: String(maxBytesInFlight) });
  const runtime = openRuntime('web', settings, opened.logger);
  const door = openHookDoor(runtime);
  const server = createServer(
    (req, res) => void (door(req, res) || res.writeHead(404, ANSWER_HEADERS).end()),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    server.close();
    await runtime.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks/messaging/${receiver.token}`;
  return async (body) => {
    const headers = { 'x-hub-signature-256': receiver.sign(body) };
    return (await fetch(url, { method: 'POST', body, headers })).status;
  };
}

test('a notification counts with its parsed changes until it is stored; alone it is stored whatever the limit is', async () => {
  const [first, second] = ['15550002001', '15550002002'].map((from) =>
    notification(message(newMessageId(), from, AT)),
  ) as [string, string];
  const post = await openServer(2 * first.length);
  const holder = await receiver.world.runtime.hot.connect();
  await holder.query('begin; lock table received_changes in access exclusive mode');
  const held = post(first);
  await untilWaiting(receiver.world.runtime.hot);
  expect(await post(second)).toBe(503);
  await holder.query('commit');
  holder.release();
  expect(await held).toBe(200);
  expect(await post(second)).toBe(200);
});
