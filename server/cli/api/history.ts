// `patchbay events …` and `patchbay runs …`.
import type { ApiSchemas } from '#lib/api/client/create-api-client.ts';
import type { Output } from '../output.ts';
import { type Api, take } from './api.ts';
import { follow, type Followed } from './follow.ts';
import { findNamed, listWorkflows } from './workflows.ts';

type Event = ApiSchemas['EventSummary'];
type Run = ApiSchemas['RunSummary'];

export interface ListOptions {
  workflow?: string;
  /** Number of rows to show; for a tail, the number after which it ends. */
  limit?: number;
}

const SHOWN = 25;
const PAGE = 100;

const describeEvent = ({ received_at, outcome, kind, reason, id, run_id }: Event): string =>
  [received_at, outcome, kind, `event ${id}`, run_id && `run ${run_id}`, reason].filter(Boolean).join('  ');

const describeRun = ({ created_at, status, delivery, id, event_id, error }: Run): string =>
  [created_at, status, delivery, `run ${id}`, `event ${event_id}`, error && `${error.code}: ${error.message}`]
    .filter(Boolean)
    .join('  ');

/** @throws ApiError for an unknown workflow */
const readFilter = async (api: Api, { workflow }: ListOptions): Promise<{ workflow_id?: string }> =>
  workflow === undefined ? {} : { workflow_id: findNamed(await listWorkflows(api), workflow).id };

async function eventsOf(api: Api, options: ListOptions, limit: number): Promise<Followed<Event>> {
  const filter = await readFilter(api, options);
  return {
    load: (cursor) => {
      const query = { ...filter, limit, ...(cursor === undefined ? {} : { cursor }) };
      return take(api, api.client.GET('/events', { params: { query } }));
    },
    at: ({ received_at: at }) => at,
    key: ({ id }) => id,
  };
}

async function runsOf(api: Api, options: ListOptions, limit: number): Promise<Followed<Run>> {
  const filter = await readFilter(api, options);
  return {
    load: (cursor) => {
      const query = { ...filter, limit, ...(cursor === undefined ? {} : { cursor }) };
      return take(api, api.client.GET('/runs', { params: { query } }));
    },
    at: ({ created_at: at }) => at,
    key: ({ id, status, delivery }) => `${id} ${status} ${delivery}`,
  };
}

async function list<Row>(
  rows: Followed<Row>,
  { limit = SHOWN }: ListOptions,
  describe: (row: Row) => string,
  output: Output,
): Promise<void> {
  const found: Row[] = [];
  let cursor: string | undefined;
  do {
    const page = await rows.load(cursor);
    found.push(...page.data);
    cursor = page.next_cursor ?? undefined;
  } while (cursor !== undefined && found.length < limit);
  const shown = found.slice(0, limit);
  output.give(shown, shown.map(describe));
}

async function tail<Row>(
  rows: Followed<Row>,
  { limit = Infinity }: ListOptions,
  describe: (row: Row) => string,
  output: Output,
): Promise<void> {
  output.say('Waiting for new ones. Ctrl+C ends.');
  let count = 0;
  for await (const row of follow(rows)) {
    if (!output.line(row, describe(row)) || ++count >= limit) return;
  }
}

const pageFor = ({ limit = SHOWN }: ListOptions): number => Math.min(limit, PAGE);

export const listEvents = async (api: Api, options: ListOptions, output: Output): Promise<void> =>
  list(await eventsOf(api, options, pageFor(options)), options, describeEvent, output);
export const tailEvents = async (api: Api, options: ListOptions, output: Output): Promise<void> =>
  tail(await eventsOf(api, options, PAGE), options, describeEvent, output);
export const listRuns = async (api: Api, options: ListOptions, output: Output): Promise<void> =>
  list(await runsOf(api, options, pageFor(options)), options, describeRun, output);
export const tailRuns = async (api: Api, options: ListOptions, output: Output): Promise<void> =>
  tail(await runsOf(api, options, PAGE), options, describeRun, output);

/** @param repeat also for an event that already ran: its messages are sent again */
export async function replayEvent(api: Api, id: string, repeat: boolean, output: Output): Promise<void> {
  const event = await take(
    api,
    api.client.POST('/events/{id}/replay', { params: { path: { id } }, body: { repeat } }),
  );
  output.give(event, [describeEvent(event)]);
}

/** @param fromStart a new run of the published version, instead of resuming where this one failed */
export async function retryRun(api: Api, id: string, fromStart: boolean, output: Output): Promise<void> {
  const from = fromStart ? 'start' : 'failed_task';
  const run = await take(
    api,
    api.client.POST('/runs/{id}/retry', { params: { path: { id } }, body: { from } }),
  );
  output.give(run, [describeRun(run)]);
}
