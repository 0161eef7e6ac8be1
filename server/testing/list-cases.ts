// Every list, filter and search of screens and API that reads the database, over a skewed history.
import { listApiKeys } from '#lib/identity/api-keys/api-keys.ts';
import { listConnections } from '#lib/messaging/connections/connections.ts';
import { RUN_STATUSES } from '#lib/engine/run-types.ts';
import { EVENT_OUTCOMES } from '#lib/engine/event-types.ts';
import { listEvents, listWholeEvents, searchEvents } from '#lib/events/read-events.ts';
import { listInvitations } from '#lib/identity/members/invitations.ts';
import { listAuditEntries } from '#lib/identity/audit/list-audit-entries.ts';
import { listMembers } from '#lib/identity/members/members.ts';
import { listCustomers } from '#lib/messaging/customers/list-customers.ts';
import { listTimeline, loadCustomer } from '#lib/messaging/conversations/list-timeline.ts';
import { REPORT_GROUPINGS } from '#lib/messaging/schema/report-groupings.ts';
import { readDeliveryReport } from '#lib/screens/delivery-report.ts';
import { dayBefore } from '#lib/screens/report-types.ts';
import { listRuns, searchRuns } from '#lib/runs/list-runs.ts';
import { findSample } from '#lib/editor/load-sample.ts';
import { listFailures } from '#lib/workflows/failures/list-failures.ts';
import { listSilences } from '#lib/workflows/silences.ts';
import { listVersions } from '#lib/workflows/versions.ts';
import { listWorkflowNames } from '#lib/workflows/workflow-names.ts';
import { listWorkflowRows, searchWorkflows } from '#lib/workflows/list-workflow-rows.ts';
import { listWorkflows } from '#lib/workflows/load-workflow.ts';
import { SORT_ORDERS } from '#lib/workflows/sort-workflows.ts';
import { loadPayloadDrift } from '#lib/workflows/payload-drift.ts';
import { loadReplyTimes } from '#lib/workflows/reply-times.ts';
import { previewRetention, readStored } from '#lib/workflows/retention/read-stored.ts';
import type { Context } from '#lib/identity/context.ts';
import { RETENTION_DEFAULTS } from '#lib/identity/workspaces/schema.ts';
import { cursorAfter } from '#lib/core/db/paging.ts';
import { lowestIdAt, newId } from '#lib/core/ids.ts';
import type { SkewedWorkflows } from './skewed-history.ts';

export interface ListCase {
  name: string;
  /** `page`: reads about as many rows as it lists. `scan`: a bounded number of rows. `index`: what full text found. `workflows`: some of each workflow. */
  bound: 'page' | 'scan' | 'index' | 'workflows';
  run: () => Promise<unknown>;
}

export interface ListedHistory extends SkewedWorkflows {
  startMs: number;
  endMs: number;
}

const HOUR_MS = 3_600_000;

/** @param limit rows of a page */
export function listCases(ctx: Context, history: ListedHistory, limit: number): ListCase[] {
  const { busyIds, quietIds, startMs, endMs } = history;
  const [busy = '', quiet = ''] = [busyIds[0], quietIds[0]];
  const middleMs = (startMs + endMs) / 2;
  const scopes = [
    { of: '', filter: {} },
    { of: ' of a busy workflow', filter: { workflow_id: busy } },
    { of: ' of a quiet workflow', filter: { workflow_id: quiet } },
  ];
  const times = [
    { at: '', filter: {} },
    { at: ', from the middle on', filter: { cursor: cursorAfter(lowestIdAt(middleMs)) } },
  ];
  const searches = [
    { text: 'note', hidesNumbers: false },
    { text: 'no such text', hidesNumbers: false },
    { text: 'no such text', hidesNumbers: true },
  ];
  const filtered = scopes.flatMap(({ of, filter }): ListCase[] => [
    ...times.flatMap(({ at, filter: time }): ListCase[] => [
      { name: `events${of}${at}`, bound: 'page', run: () => listEvents(ctx, { limit, ...filter, ...time }) },
      { name: `runs${of}${at}`, bound: 'page', run: () => listRuns(ctx, { limit, ...filter, ...time }) },
      {
        name: `events with bodies${of}${at}`,
        bound: 'page',
        run: () => listWholeEvents(ctx, { limit, workflowId: filter.workflow_id, ...time }, 1024 * 1024),
      },
    ]),
    ...EVENT_OUTCOMES.map((outcome): ListCase => ({
      name: `events${of}, ${outcome}`,
      bound: outcome === 'triggered' ? 'scan' : 'page',
      run: () => listEvents(ctx, { limit, outcome, ...filter }),
    })),
    ...RUN_STATUSES.map((status): ListCase => ({
      name: `runs${of}, ${status}`,
      bound: ['waiting', 'failed', 'cancelled'].includes(status) ? 'page' : 'scan',
      run: () => listRuns(ctx, { limit, status, ...filter }),
    })),
    ...times.map(({ at, filter: time }): ListCase => ({
      name: `runs${of}, not delivered${at}`,
      bound: 'page',
      run: () => listRuns(ctx, { limit, delivery: 'undelivered', ...filter, ...time }),
    })),
    ...RUN_STATUSES.map((status): ListCase => ({
      name: `runs${of}, not delivered, ${status}`,
      bound: 'scan',
      run: () => listRuns(ctx, { limit, delivery: 'undelivered', status, ...filter }),
    })),
    ...searches.flatMap(({ text, hidesNumbers }): ListCase[] => {
      const input = { limit, text, hidesNumbers, ...filter };
      const what = `${of}, "${text}"${hidesNumbers ? ', numbers masked' : ''}`;
      return [
        { name: `events${what}`, bound: 'scan', run: () => searchEvents(ctx, input) },
        { name: `runs${what}`, bound: 'scan', run: () => searchRuns(ctx, input) },
      ];
    }),
    {
      name: `events${of}, of an hour`,
      bound: 'page',
      run: () =>
        searchEvents(ctx, { limit, hidesNumbers: false, fromMs: endMs - HOUR_MS, toMs: endMs, ...filter }),
    },
  ]);
  return [...filtered, ...otherLists(ctx, history, limit)];
}

/** Searches of texts while full text is on: of one event, of every event, and of none. */
export function fullTextCases(
  ctx: Context,
  { busyIds, quietIds, startMs, endMs }: ListedHistory,
  limit: number,
): ListCase[] {
  const scopes = {
    '': {},
    ' of a busy workflow': { workflow_id: busyIds[0] },
    ' of a quiet workflow': { workflow_id: quietIds[0] },
    ', older half': { toMs: (startMs + endMs) / 2 },
  };
  const texts = ['"order":7777,', 'note', 'phone x', 'no such text'];
  return Object.entries(scopes).flatMap(([of, filter]) =>
    texts.flatMap((text) =>
      [false, true].flatMap((hidesNumbers): ListCase[] => {
        const input = { limit, text, hidesNumbers, ...filter };
        const what = `${of}, "${text}", full text${hidesNumbers ? ', numbers masked' : ''}`;
        return [
          { name: `events${what}`, bound: 'index', run: () => searchEvents(ctx, input) },
          { name: `runs${what}`, bound: 'index', run: () => searchRuns(ctx, input) },
        ];
      }),
    ),
  );
}

/**
 * Those of customers, each of whom has several names, which are looked up.
 * @param customerId one with many messages, of `insertCustomers`
 */
export function customerCases(ctx: Context, customerId: string, limit: number): ListCase[] {
  const searches = ['4915', '0001', '+49 15 00000001', 'Anna', 'nna', 'nobody', 'wamid.7', 'US.1349A7'];
  return [
    {
      name: 'customers',
      bound: 'scan',
      run: () => listCustomers(ctx, { limit, hidesNumbers: false }),
    },
    ...searches.flatMap((search): ListCase[] =>
      [false, true].map((hidesNumbers) => ({
        name: `customers, "${search}"${hidesNumbers ? ', numbers masked' : ''}`,
        bound: 'scan',
        run: () => listCustomers(ctx, { limit, search, hidesNumbers }),
      })),
    ),
    {
      name: 'messages of a customer',
      bound: 'scan',
      run: () => loadCustomer(ctx, customerId).then((row) => listTimeline(ctx, row, { limit })),
    },
    {
      name: 'runs of a customer',
      bound: 'scan',
      run: () => listRuns(ctx, { customer: customerId, limit }),
    },
    {
      name: 'runs of a customer, failed',
      bound: 'scan',
      run: () => listRuns(ctx, { customer: customerId, status: 'failed', limit }),
    },
    // Numbers are words that customers may have written, too.
    ...['nr1234', 'no message has these', '+49 15 00000007'].flatMap((text): ListCase[] => [
      {
        name: `runs with messages, "${text}"`,
        bound: 'scan',
        run: () => searchRuns(ctx, { limit, text, hidesNumbers: false }),
      },
      {
        name: `events with messages, "${text}"`,
        bound: 'scan',
        run: () => searchEvents(ctx, { limit, text, hidesNumbers: false }),
      },
    ]),
  ];
}

function otherLists(ctx: Context, { quietIds, endMs }: ListedHistory, limit: number): ListCase[] {
  const [quiet = ''] = quietIds;
  const muchLater = new Date(endMs + 5 * 24 * HOUR_MS);
  return [
    ...REPORT_GROUPINGS.map((by): ListCase => ({
      name: `delivery report of a year by ${by}`,
      bound: 'page',
      run: () => readDeliveryReport(ctx, { by, from: dayBefore(endMs, 365), to: dayBefore(endMs, 0) }),
    })),
    { name: 'workflows of the API', bound: 'page', run: () => listWorkflows(ctx, { limit }) },
    ...SORT_ORDERS.map((order): ListCase => ({
      name: `workflows of the screen by ${order}`,
      bound: 'workflows',
      run: () => listWorkflowRows(ctx, { order, limit }, new Date(endMs)),
    })),
    {
      name: 'workflows that are silent',
      bound: 'workflows',
      run: () => listSilences(ctx, { now: muchLater }),
    },
    {
      name: 'workflows by a search',
      bound: 'workflows',
      run: () => searchWorkflows(ctx, { text: 'no such task' }),
    },
    {
      name: 'failures of workflows',
      bound: 'workflows',
      run: () => listFailures(ctx, { userId: newId(), now: new Date(endMs) }),
    },
    { name: 'names of workflows', bound: 'page', run: () => listWorkflowNames(ctx) },
    { name: 'versions of a workflow', bound: 'page', run: () => listVersions(ctx, { id: quiet }) },
    { name: 'sample of a quiet workflow', bound: 'page', run: () => findSample(ctx, { workflowId: quiet }) },
    {
      name: 'payload drift of a quiet workflow',
      bound: 'scan',
      run: () => loadPayloadDrift(ctx, { id: quiet }),
    },
    {
      name: 'reply times of a quiet workflow',
      bound: 'scan',
      run: () => loadReplyTimes(ctx, { id: quiet, limitMs: 30_000 }),
    },
    { name: 'stored data', bound: 'scan', run: () => readStored(ctx) },
    { name: 'due data', bound: 'scan', run: () => previewRetention(ctx, RETENTION_DEFAULTS) },
    { name: 'audit log', bound: 'page', run: () => listAuditEntries(ctx, { limit }) },
    { name: 'API keys', bound: 'page', run: () => listApiKeys(ctx, { limit }) },
    { name: 'connections', bound: 'page', run: () => listConnections(ctx, { limit }) },
    { name: 'members', bound: 'page', run: () => listMembers(ctx) },
    { name: 'invitations', bound: 'page', run: () => listInvitations(ctx) },
  ];
}
