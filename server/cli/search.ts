import type { Database } from '#lib/core/db/client.ts';
import { indexDue } from '#lib/events/full-text/index-due.ts';
import {
  type FullTextStatus,
  MAX_COUNTED,
  readFullTextStatus,
  switchFullTextOff,
  switchFullTextOn,
} from '#lib/events/full-text/switch.ts';
import { withDatabase } from './installation.ts';
import type { Output } from './output.ts';

const MEGABYTE = 1024 ** 2;

/** `patchbay search on`: indexes what there is, as workers do beside it, and says how far it is. It may be stopped and repeated. */
export async function switchSearchOn(output: Output, { waits }: { waits: boolean }): Promise<void> {
  const status = await withDatabase({ say: output.say }, async (db) => {
    await switchFullTextOn(db);
    if (waits) await indexAll(db, output);
    return readFullTextStatus(db);
  });
  output.give(status, describe(status));
}

async function indexAll(db: Database, output: Output): Promise<void> {
  output.say('Indexing events, the newest first. If you stop this command, workers continue.');
  while (await indexDue({ pool: db.$client })) output.say(progressOf(await readFullTextStatus(db)));
}

/** `patchbay search off` */
export async function switchSearchOff(output: Output): Promise<void> {
  const status = await withDatabase({ say: output.say }, async (db) => {
    await switchFullTextOff(db);
    return readFullTextStatus(db);
  });
  output.give(status, describe(status));
}

/** `patchbay search status` */
export async function showSearch(output: Output): Promise<void> {
  const status = await withDatabase({ say: output.say }, readFullTextStatus);
  output.give(status, describe(status));
}

const countOf = (events: number): string =>
  `${events.toLocaleString('en')} ${events === 1 ? 'event' : 'events'}`;

const progressOf = ({ indexed, waiting }: FullTextStatus): string =>
  `${countOf(indexed)} indexed, ${waiting >= MAX_COUNTED ? 'more than ' : ''}${countOf(waiting)} to do`;

const describe = (status: FullTextStatus): string[] =>
  status.is_on
    ? [
        `Full-text search is on: ${progressOf(status)}. The index has ${Math.ceil(status.bytes / MEGABYTE).toLocaleString('en')} MB.`,
        ...(status.waiting > 0
          ? ['What is not indexed yet is read by each search, from the newest event on.']
          : []),
      ]
    : ['Full-text search is off: searches read events from the newest on, a part at a time.'];
