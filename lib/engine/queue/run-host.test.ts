import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { systemClock } from '#lib/core/clock.ts';
import { compileGraph } from '#lib/engine/graph.ts';
import type { TakenRun } from '#lib/engine/run-state.ts';
import type { TaskResult } from '#lib/engine/task-executor.ts';
import { RunHost } from './run-host.ts';

const graph = compileGraph({
  tasks: [
    { id: 1, type: 'inbound_webhook', name: 'In', settings: {} },
    { id: 2, type: 'gate', name: 'Gate', settings: {} },
  ],
  edges: [{ from: 1, to: 2 }],
});

const idsOf = (runs: readonly { id: string }[]): string => runs.map(({ id }) => id).join();

/** A host over an in-memory store, with one task that ends when the gate is opened. */
function createHost({
  isHeldElsewhere = false,
  isTakenByAnother = false,
  isOnlyRead = false,
  claiming = Promise.resolve(),
} = {}) {
  const gate = Promise.withResolvers<TaskResult>();
  const log: string[] = [];
  const lines: unknown[] = [];
  let epoch = 0;
  const host = new RunHost({
    store: {
      take: async (ids) => {
        log.push(`take ${ids.join(',')}`);
        if (isHeldElsewhere) return [];
        epoch += 1;
        return ids.map((id): TakenRun => ({
          id,
          epoch,
          workspaceId: 'w',
          workflowId: 'f',
          version: 1,
          awaitsAnswer: false,
          readAt: isOnlyRead || isTakenByAnother ? 0 : undefined,
          event: { id: 'event', isReplay: false, body: {}, headers: {} },
        }));
      },
      areHeldUnclaimed: async () => isHeldElsewhere,
      loadGraph: async () => graph,
      loadTaskRuns: async () => [],
      loadSignals: async () => [],
      loadWebhooks: async () => undefined,
      loadDraftOptions: async () => undefined,
      write: async (run, _taskRuns, change) => {
        if (run.readAt !== undefined) log.push(`take ${run.id} by a write`);
        if (isTakenByAnother) return false;
        run.readAt = undefined;
        if (change.status) log.push(`${run.id} ${change.status} under ${run.epoch}`);
        return run.epoch === epoch;
      },
    },
    claims: {
      claim: async (runs) => {
        log.push(`claiming ${idsOf(runs)}`);
        await claiming;
        log.push(`claim ${idsOf(runs)}`);
      },
      release: async (runs) => void log.push(`release ${idsOf(runs)}`),
    },
    findExecutor: () => ({ execute: () => gate.promise }),
    renderAnswer: () => ({ status: 200, contentType: 'text/plain', body: '' }),
    clock: systemClock,
    logger: pino({ base: null, timestamp: false }, { write: (line) => void lines.push(JSON.parse(line)) }),
    maxRuns: 10,
  });
  return { host, gate, log, lines };
}

describe('run host', () => {
  it('lets a job end while its run is slow, and claims the run instead', async () => {
    const { host, gate, log } = createHost();
    await host.advance(['a']);
    expect(log).toEqual(['take a', 'claiming a', 'claim a']);
    gate.resolve({ kind: 'done', output: {}, runText: '' });
    await expect
      .poll(() => log)
      .toEqual(['take a', 'claiming a', 'claim a', 'a succeeded under 1', 'release a']);
  });

  it('takes a slow run that was only read before it is claimed', async () => {
    const { host, gate, log } = createHost({ isOnlyRead: true });
    await host.advance(['a']);
    expect(log).toEqual(['take a', 'take a by a write', 'claiming a', 'claim a']);
    gate.resolve({ kind: 'done', output: {}, runText: '' });
    await expect.poll(() => log.slice(4)).toEqual(['a succeeded under 1', 'release a']);
  });

  it('claims none that another worker has taken', async () => {
    const { host, gate, log } = createHost({ isTakenByAnother: true });
    await host.advance(['a']);
    gate.resolve({ kind: 'done', output: {}, runText: '' });
    await host.stop(1000);
    expect(log).toEqual(['take a', 'take a by a write', 'take a by a write']);
  });

  it('names event, run and task in the log of an internal error', async () => {
    const { host, gate, lines } = createHost();
    gate.reject(new TypeError('What is this?'));
    await host.advance(['a']);
    expect(lines).toEqual([
      expect.objectContaining({
        msg: 'a task failed with an internal error',
        event_id: 'event',
        run_id: 'a',
        task_id: 2,
      }),
    ]);
  });

  it.each(['recorded', 'not answered'])(
    'leaves no claim of a run that ends while its claim is %s',
    async (how) => {
      const claim = Promise.withResolvers<void>();
      const { host, gate, log } = createHost({ claiming: claim.promise });
      const job = host.advance(['a']);
      await expect.poll(() => log).toEqual(['take a', 'claiming a']);
      gate.resolve({ kind: 'done', output: {}, runText: '' });
      await expect.poll(() => log).toContain('a succeeded under 1');
      if (how === 'recorded') claim.resolve();
      else claim.reject(new Error('The connection broke.'));
      await job.catch(() => undefined);
      expect(log.at(-1)).toBe('release a');
    },
  );

  it('sends the job of a run that it still holds back to the queue, and takes the run when it comes again', async () => {
    const { host, gate, log } = createHost();
    await host.advance(['a']);
    await expect(host.advance(['a', 'b'])).rejects.toThrow(/comes again/);
    expect(log).toContain('take b');
    gate.resolve({ kind: 'done', output: {}, runText: '' });
    await expect.poll(() => log).toContain('release a');
    await host.advance(['a']);
    expect(log.filter((line) => line.startsWith('take'))).toEqual(['take a', 'take b', 'take a']);
    expect(log).toContain('a succeeded under 3');
  });

  it('takes a run once when two of its jobs come together', async () => {
    const { host, gate, log } = createHost();
    const jobs = Promise.allSettled([host.advance(['a']), host.advance(['a'])]);
    gate.resolve({ kind: 'done', output: {}, runText: '' });
    await jobs;
    expect(log.filter((line) => line.startsWith('a '))).toEqual(['a succeeded under 1']);
  });

  it('sends the job of a run back that another process holds and has not claimed', async () => {
    const { host } = createHost({ isHeldElsewhere: true });
    await expect(host.advance(['a'])).rejects.toThrow(/comes again/);
  });

  it('takes nothing while it stops: the job goes to another worker', async () => {
    const { host } = createHost();
    await host.stop(10);
    await expect(host.advance(['a'])).rejects.toThrow(/stopping/);
  });
});
