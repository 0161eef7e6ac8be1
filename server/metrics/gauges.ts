// Gauges that are read at each scrape.
import { Gauge, type Registry } from 'prom-client';
import type { Pool } from '#lib/core/db/client.ts';
import { readDatabaseBytes } from '#lib/core/disk.ts';
import type { ProcessRuntime } from '#lib/core/process-runtime.ts';
import { countWorkers, readQueue } from '#lib/engine/store/readiness.ts';
import { bodiesInFlight } from '#lib/webhooks/runtime.ts';
import { readOldestEventSeconds, readOverdueSeconds } from '#lib/workflows/retention/due-parts.ts';

/** Connections of each pool, by state. */
export function openPoolGauge(registry: Registry, runtime: ProcessRuntime): void {
  const { db, hot, engine, vital } = runtime;
  const pools = { ordinary: db.$client, hot, vital, ...(engine === hot ? {} : { engine }) };
  new Gauge({
    name: 'patchbay_database_connections',
    help: 'Connections to PostgreSQL, by pool and state; waiting: requests that wait for one.',
    labelNames: ['pool', 'state'],
    registers: [registry],
    collect() {
      for (const [pool, { totalCount, idleCount, waitingCount }] of Object.entries<Pool>(pools)) {
        this.set({ pool, state: 'busy' }, totalCount - idleCount);
        this.set({ pool, state: 'idle' }, idleCount);
        this.set({ pool, state: 'waiting' }, waitingCount);
      }
    },
  });
}

/** Bodies that a web process holds. */
export function openBodyGauge(registry: Registry, runtime: ProcessRuntime): void {
  new Gauge({
    name: 'patchbay_webhook_bytes_in_flight',
    help: 'Bytes of bodies that this process holds (MAX_BYTES_IN_FLIGHT).',
    registers: [registry],
    collect() {
      this.set(bodiesInFlight(runtime).bytes);
    },
  });
}

/** Whether there are workers, reported by web processes: without workers there are no metrics of the queue. */
export function openWorkersGauge(registry: Registry, { vital }: ProcessRuntime): void {
  new Gauge({
    name: 'patchbay_workers',
    help: 'Workers that are running, as each web process sees it: take the minimum.',
    registers: [registry],
    async collect() {
      this.set(await countWorkers(vital));
    },
  });
}

/** The queue, which all workers share: take the maximum over them, not the sum. */
export function openQueueGauges(registry: Registry, { vital }: ProcessRuntime): void {
  const registers = [registry];
  const age = new Gauge({
    name: 'patchbay_queue_oldest_due_seconds',
    help: 'For how long the job that is next has been due; 0: none is due.',
    registers,
  });
  const waiting = new Gauge({
    name: 'patchbay_runs_waiting',
    help: 'Runs that wait: for an instant, a signal or another try; counted up to 100,000.',
    registers,
  });
  new Gauge({
    name: 'patchbay_queue_due_jobs',
    help: 'Jobs that are due and not taken, counted up to 100,000.',
    registers,
    async collect() {
      const queue = await readQueue(vital);
      this.set(queue.dueJobs);
      age.set(queue.oldestDueSeconds);
      waiting.set(queue.waitingRuns);
    },
  });
}

/** How far retention is behind, which all workers share: take the maximum over them. */
export function openRetentionGauge(registry: Registry, { vital }: ProcessRuntime): void {
  new Gauge({
    name: 'patchbay_retention_overdue_seconds',
    help: 'For how long something has been older than its workspace keeps it and is not removed; about an hour is usual.',
    registers: [registry],
    async collect() {
      this.set(await readOverdueSeconds(vital));
    },
  });
}

/** Size of the database, which all workers share: take the maximum over them. Its growth is their derivative. */
export function openDatabaseGauges(registry: Registry, { vital }: ProcessRuntime): void {
  const registers = [registry];
  const oldest = new Gauge({
    name: 'patchbay_oldest_event_seconds',
    help: 'Age of the oldest event that is stored; 0: there is none.',
    registers,
  });
  new Gauge({
    name: 'patchbay_database_bytes',
    help: 'Bytes of the database with its indexes, wherever its server is.',
    registers,
    async collect() {
      this.set(await readDatabaseBytes(vital));
      oldest.set(await readOldestEventSeconds(vital));
    },
  });
}
