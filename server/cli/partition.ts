// `patchbay partition`: events, runs and task runs by month, for installations with very many (docs/running/sizing.md).
import { openDatabase } from '#lib/core/db/client.ts';
import { convertBack } from '#lib/core/db/partitions/convert-back.ts';
import { convertToPartitions } from '#lib/core/db/partitions/convert.ts';
import { PartitionError } from '#lib/core/db/partitions/lock-briefly.ts';
import { type Partition, readShapes, type TableState } from '#lib/core/db/partitions/shape.ts';
import { GIGABYTE, toGigabytes } from '#lib/core/disk.ts';
import { createdAtMs } from '#lib/core/ids.ts';
import { withInstallation } from './installation.ts';
import type { Output } from './output.ts';

export interface PartitionCommand {
  status?: boolean;
  back?: boolean;
  anySize?: boolean;
}

/** What 100 webhooks a second store in hours. Below it, plain tables are as fast, and simpler. */
const LEAST_BYTES = 10 * GIGABYTE;

/** @throws PartitionError when something is in the way, or the tables are small */
export function partition(options: PartitionCommand, output: Output): Promise<void> {
  return withInstallation({ say: output.say }, async ({ databaseUrl }) => {
    if (options.status === true && options.back === true)
      throw new PartitionError('Use either --status or --back.');
    const states = await readStates(databaseUrl);
    if (options.status === true) return give(states, output);
    if (options.back === true) {
      const changed = await convertBack(databaseUrl, output);
      if (changed.length === 0) output.say('The tables are plain: there is nothing to do.');
      reportLocks(changed, output);
    } else {
      if (options.anySize !== true) assertLarge(states);
      const converted = await convertToPartitions(databaseUrl, output);
      if (converted.length === 0) output.say('All tables are partitioned: there is nothing to do.');
      reportLocks(converted, output);
    }
    give(await readStates(databaseUrl), output);
  });
}

async function readStates(url: string): Promise<TableState[]> {
  const db = openDatabase(url, { maxConnections: 1, name: 'patchbay-cli' });
  try {
    return await readShapes(db.$client);
  } finally {
    await db.$client.end();
  }
}

function assertLarge(states: readonly TableState[]): void {
  const plain = states.filter(({ shape }) => shape !== 'partitioned');
  const bytes = states.reduce((sum, state) => sum + state.bytes, 0);
  // A conversion that was begun is ended.
  if (bytes >= LEAST_BYTES || plain.length === 0 || states.some(({ shape }) => shape !== 'plain')) return;
  throw new PartitionError(
    `Events, runs and task runs take ${describeBytes(bytes)}. Below ${describeBytes(LEAST_BYTES)} partitions give nothing. Nothing was changed. ` +
      'Use --any-size to convert them all the same.',
  );
}

function reportLocks(changed: readonly { table: string; lockedMs: number[] }[], output: Output): void {
  for (const { table, lockedMs } of changed)
    output.say(
      `${table} was locked for ${lockedMs.map((ms) => `${ms.toFixed(1)} ms`).join(' and ') || '0 ms'}.`,
    );
}

function give(states: readonly TableState[], output: Output): void {
  output.give(
    states.map(({ table, shape, bytes, partitions }) => ({
      table,
      shape,
      bytes,
      partitions: partitions.map((each) => ({ name: each.name, before: beforeOf(each) })),
    })),
    states.flatMap(describeState),
  );
}

function describeState({ table, shape, bytes, partitions }: TableState): string[] {
  if (shape === 'plain') return [`${table}: plain, ${describeBytes(bytes)}`];
  if (shape === 'unfinished')
    return [`${table}: a conversion was begun and not ended. Run “patchbay partition” again.`];
  return [
    `${table}: ${partitions.length} partitions, ${describeBytes(bytes)}`,
    ...partitions.map((each) => `  ${each.name}, ${describeRange(each)}`),
  ];
}

/** Up to which time a partition goes; null: everything that belongs into no other one. */
const beforeOf = ({ range }: Partition): string | null =>
  range === null ? null : new Date(createdAtMs(range.to)).toISOString();

function describeRange(each: Partition): string {
  const before = beforeOf(each);
  return before === null ? 'everything else' : `before ${before.slice(0, 'YYYY-MM-DD'.length)}`;
}

const describeBytes = (bytes: number): string =>
  bytes >= GIGABYTE ? `${toGigabytes(bytes)} GB` : `${(bytes / 1024 ** 2).toFixed(1)} MB`;
