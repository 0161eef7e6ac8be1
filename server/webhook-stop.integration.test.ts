// The effect of stopping a web process on callers, through both doors.
import { Agent, request } from 'node:http';
import { connect } from 'node:net';
import { describe, expect, it, vi } from 'vitest';
import { insertWorkflow } from '#lib/testing/insert-workflow.ts';
import { rawRequest, writeThenRead } from './testing/raw-request.ts';
import {
  chain,
  db,
  delayTask,
  DOORS,
  setTask,
  setUpDoors,
  startDoor,
  trigger,
} from './testing/webhook-doors.ts';

const JSON_TYPE = 'Content-Type: application/json';
const CALLERS = 20;
/** Well below the 10 seconds after which the launcher kills. */
const STOPPED_MS = 8_000;

setUpDoors();

/** @returns the status, and whether the connection stays open */
const callOver = (agent: Agent, url: URL): Promise<[number | undefined, string | undefined]> =>
  new Promise((resolve, reject) => {
    request(url, { agent, method: 'POST', headers: { 'content-type': 'application/json' } }, (answer) => {
      answer.resume().once('end', () => resolve([answer.statusCode, answer.headers.connection]));
    })
      .once('error', reject)
      .end('{}');
  });

const countRuns = async (workflowId: string): Promise<number> => {
  const { rows } = await db.$client.query('select 1 from runs where workflow_id = $1', [workflowId]);
  return rows.length;
};

describe.each(DOORS)('webhook door: %s, while its process stops', (door) => {
  it('after-workflow callers are told 202 with their run, at once, and that the connection ends', async () => {
    const slow = {
      ...setTask(2, 'x'),
      type: 'loop',
      settings: { count: 2, pause_seconds: 60, on_item_failure: 'stop' },
    };
    const { token, workflowId } = await insertWorkflow(db.$client, {
      tasks: [trigger({ response_type: 'after_workflow' }), slow, setTask(3, 'x')],
      edges: [
        { from: 1, to: 2 },
        { from: 2, to: 3, branch: 'each' },
      ],
    });
    const { base, process } = await startDoor(door, { ANSWER_TIMEOUT_SECONDS: '60' });
    const bytes = rawRequest(`POST /webhook/${token} HTTP/1.1`, [JSON_TYPE], '{}');
    const answers = Promise.all(Array.from({ length: CALLERS }, () => writeThenRead(base, bytes)));
    await vi.waitFor(async () => expect(await countRuns(workflowId)).toBe(CALLERS));
    const began = performance.now();
    await Promise.all([process.stop(), answers]);
    expect(performance.now() - began).toBeLessThan(STOPPED_MS);
    const runs = new Set<string>();
    for (const { status, head, body } of await answers) {
      expect(status).toBe(202);
      expect(head).toMatch(/^connection: close$/im);
      const { run_id, ...rest } = JSON.parse(body) as { status: string; run_id: string };
      expect(rest).toEqual({ status: 'running' });
      runs.add(run_id);
    }
    expect(runs.size).toBe(CALLERS);
  });

  it('a request that was on its way over an idle connection is answered, and then the connection ends', async () => {
    const { token, workflowId } = await insertWorkflow(db.$client, chain(trigger(), delayTask(2, 3600)));
    const { base, process } = await startDoor(door);
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const call = () => callOver(agent, new URL(`/webhook/${token}`, base));
    expect(await call()).toEqual([200, 'keep-alive']);
    const stopped = process.stop();
    await vi.waitFor(
      () =>
        expect(writeThenRead(base, rawRequest('GET /healthz HTTP/1.1', []))).rejects.toThrow('ECONNREFUSED'),
      { interval: 20 },
    );
    expect(await call()).toEqual([200, 'close']);
    const began = performance.now();
    await stopped;
    expect(performance.now() - began).toBeLessThan(STOPPED_MS);
    expect(await countRuns(workflowId)).toBe(2);
  });

  it('a request whose body is still arriving is finished; no other connection is accepted', async () => {
    const { token, workflowId } = await insertWorkflow(db.$client, chain(trigger(), delayTask(2, 3600)));
    const { base, process } = await startDoor(door);
    const bytes = rawRequest(`POST /webhook/${token} HTTP/1.1`, [JSON_TYPE], '{"a":"b"}');
    const socket = connect(Number(base.port), base.hostname);
    let answer = '';
    socket.setEncoding('latin1').on('data', (chunk: string) => (answer += chunk));
    const ended = new Promise((resolve) => socket.once('end', resolve));
    await new Promise((resolve) => socket.write(bytes.subarray(0, -4), resolve));
    // Another request on a separate connection is answered after this one was read.
    await writeThenRead(base, rawRequest('GET /healthz HTTP/1.1', []));
    const stopped = process.stop();
    await vi.waitFor(
      () =>
        expect(writeThenRead(base, rawRequest('GET /healthz HTTP/1.1', []))).rejects.toThrow('ECONNREFUSED'),
      { interval: 20 },
    );
    socket.write(bytes.subarray(-4));
    await ended;
    expect(answer).toMatch(/^HTTP\/1\.1 200 /);
    expect(answer).toMatch(/^connection: close$/im);
    await stopped;
    expect(await countRuns(workflowId)).toBe(1);
  });
});
