// Every route handler and every page with its permitted callers and an address.
import type { For } from './authorization-actions.ts';
import { IDS } from '../../sandbox/data/businesses.ts';
import type { Rule } from './authorization-rules.ts';
import type { Targets } from './authorization-targets.ts';

export interface AddressCase extends Rule {
  path: (things: Targets, by: For) => string | Promise<string>;
  /** The stranger's own record together with one of this workspace: `not_found` too. */
  mixed?: (own: Targets, foreign: Targets) => Promise<string>;
}

export interface RouteCase extends AddressCase {
  /** Refuses like pages: users open it in the browser. */
  isForBrowsers?: true;
  body?: unknown;
  headers?: Record<string, string>;
}

export type RouteEntry = Record<string, RouteCase>;

/** The same response for every method and caller: the credential is in the address or in a header, and it is invalid. */
const sameForAll = (methods: readonly string[], rule: Omit<RouteCase, 'for'>): RouteEntry =>
  Object.fromEntries(methods.map((method) => [method, { ...rule, for: 'anyone' as const }]));

const ALL = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'];
const NOT_POST = ALL.filter((method) => method !== 'POST');

const webhook = (path: string): RouteEntry => ({
  ...sameForAll(NOT_POST, { answers: 'method_not_allowed', path: () => path }),
  POST: { for: 'anyone', answers: 'unknown_webhook', path: () => path, body: {} },
});

const listsPath = async (a: Targets): Promise<string> =>
  `/workflows/${(await a.list('ready')).workflowId}/lists`;
const listPath = async (a: Targets): Promise<string> => {
  const { id, workflowId } = await a.list('ready');
  return `/workflows/${workflowId}/lists/${id}`;
};

export const ROUTES: Readonly<Record<string, RouteEntry>> = {
  'app/(studio)/connections/[id]/checks/route.ts': {
    GET: { for: 'viewer', path: async (a) => `/connections/${await a.connectionId()}/checks` },
  },
  'app/(studio)/connections/[id]/phone-numbers/route.ts': {
    GET: { for: 'viewer', path: async (a) => `/connections/${await a.connectionId()}/phone-numbers` },
  },
  'app/(studio)/events/[id]/raw/route.ts': {
    GET: { for: 'editor', path: async (a) => `/events/${(await a.event()).id}/raw` },
  },
  'app/(studio)/events/list/route.ts': {
    GET: {
      for: 'viewer',
      stranger: 'own',
      path: async (a) => `/events/list?workflow=${(await a.event()).workflowId}`,
    },
  },
  'app/(studio)/exports/[kind]/route.ts': {
    GET: { for: 'viewer', stranger: 'own', path: () => '/exports/events' },
  },
  'app/(studio)/list-files/route.ts': {
    POST: {
      for: 'editor',
      path: async (a) => `/list-files?workflow=${await a.workflowId()}&name=a.csv`,
      headers: { 'content-type': 'application/octet-stream' },
      body: 'phone\n+15550101001\n',
    },
  },
  'app/(studio)/media/route.ts': {
    POST: {
      for: 'editor',
      path: async (a) =>
        `/media?connection=${await a.connectionId()}&phone_number=${IDS.booksOrders}&name=a.png`,
      headers: { 'content-type': 'application/octet-stream' },
      body: 'a picture',
    },
  },
  'app/(studio)/message-templates/list/route.ts': {
    GET: { for: 'viewer', path: async (a) => `/message-templates/list?connection=${await a.connectionId()}` },
  },
  'app/(studio)/message-templates/preview/route.ts': {
    GET: {
      for: 'viewer',
      path: async (a) =>
        `/message-templates/preview?connection=${await a.connectionId()}&name=order_confirmation&language=en_US`,
    },
  },
  'app/(studio)/reports/delivery/route.ts': {
    GET: { for: 'viewer', stranger: 'own', path: () => '/reports/delivery' },
  },
  'app/(studio)/runs/[id]/live/route.ts': {
    GET: { for: 'viewer', path: async (a) => `/runs/${(await a.failedRun()).id}/live` },
  },
  'app/(studio)/runs/[id]/conversations/route.ts': {
    GET: { for: 'viewer', path: async (a) => `/runs/${(await a.failedRun()).id}/conversations` },
  },
  'app/(studio)/runs/[id]/tasks/[taskId]/route.ts': {
    GET: { for: 'viewer', path: async (a) => `/runs/${(await a.failedRun()).id}/tasks/2` },
  },
  'app/(studio)/customers/list/route.ts': {
    GET: {
      for: 'viewer',
      stranger: 'own',
      path: async (a) => `/customers/list?text=${(await a.message()).id}`,
    },
  },
  'app/(studio)/customers/[id]/timeline/route.ts': {
    GET: { for: 'viewer', path: async (a) => `/customers/${(await a.message()).customerId}/timeline` },
  },
  'app/(studio)/customers/[id]/export/route.ts': {
    GET: { for: 'owner', path: async (a) => `/customers/${(await a.message()).customerId}/export` },
  },
  'app/(studio)/runs/list/route.ts': {
    GET: {
      for: 'viewer',
      stranger: 'own',
      path: async (a) => `/runs/list?workflow=${(await a.event()).workflowId}`,
    },
  },
  'app/(studio)/settings/health/checks/route.ts': {
    GET: { for: 'viewer', stranger: 'own', path: async () => '/settings/health/checks' },
  },
  'app/(studio)/settings/health/limits/route.ts': {
    GET: { for: 'viewer', stranger: 'own', path: async () => '/settings/health/limits' },
  },
  'app/(studio)/workflows/list/route.ts': {
    GET: { for: 'viewer', stranger: 'own', path: () => '/workflows/list' },
  },
  'app/(studio)/workflows/failures/route.ts': {
    GET: { for: 'viewer', stranger: 'own', path: () => '/workflows/failures' },
  },
  'app/(studio)/workflows/[id]/drift/route.ts': {
    GET: { for: 'viewer', path: async (a) => `/workflows/${(await a.event()).workflowId}/drift` },
  },
  'app/(studio)/workflows/[id]/events/route.ts': {
    GET: { for: 'editor', path: async (a) => `/workflows/${(await a.event()).workflowId}/events` },
  },
  'app/(studio)/workflows/[id]/lists/list/route.ts': {
    GET: { for: 'viewer', path: async (a) => `${await listsPath(a)}/list` },
  },
  'app/(studio)/workflows/[id]/lists/[listId]/live/route.ts': {
    GET: {
      for: 'viewer',
      path: async (a) => `${await listPath(a)}/live`,
      mixed: async (own, foreign) => `${await listsPath(own)}/${(await foreign.list('ready')).id}/live`,
    },
  },
  'app/(studio)/workflows/[id]/lists/[listId]/rows/route.ts': {
    GET: {
      for: 'viewer',
      path: async (a) => `${await listPath(a)}/rows`,
      mixed: async (own, foreign) => `${await listsPath(own)}/${(await foreign.list('ready')).id}/rows`,
    },
  },
  'app/(studio)/workflows/[id]/reply-times/route.ts': {
    GET: { for: 'viewer', path: async (a) => `/workflows/${await a.workflowId()}/reply-times` },
  },
  'app/(studio)/workflows/[id]/sample/route.ts': {
    GET: {
      for: 'editor',
      path: async (a) => {
        const { id, workflowId } = await a.event();
        return `/workflows/${workflowId}/sample?event=${id}`;
      },
      mixed: async (own, foreign) =>
        `/workflows/${await own.workflowId()}/sample?event=${(await foreign.event()).id}`,
    },
  },
  'app/(studio)/workflows/[id]/state/route.ts': {
    GET: { for: 'viewer', path: async (a) => `/workflows/${await a.workflowId()}/state` },
  },
  // Anyone with the link may decide (lib/approvals).
  'app/resume/[token]/route.ts': {
    GET: { for: 'anyone', path: async (a) => `/resume/${await a.approvalToken()}` },
    POST: {
      for: 'anyone',
      path: async (a) => `/resume/${await a.approvalToken()}`,
      body: { decision: 'approve' },
    },
  },
  'app/oauth/callback/route.ts': {
    GET: {
      for: 'editor',
      isForBrowsers: true,
      answers: 'redirect /connections',
      stranger: 'redirect /connections',
      path: async (a, { userId }) =>
        `/oauth/callback?error=access_denied&state=${(await a.login(userId, 'started')).state}`,
    },
  },
  // next-auth's responses are for everyone: its own secrets decide (lib/identity/auth/*.test.ts).
  'app/api/auth/[...nextauth]/route.ts': {
    GET: { for: 'anyone', path: () => '/api/auth/session' },
    POST: {
      for: 'anyone',
      answers: 'redirect /api/auth/signin',
      path: () => '/api/auth/callback/credentials',
    },
  },
  'app/api/[[...path]]/route.ts': sameForAll(ALL, { answers: 'not_found', path: () => '/api' }),
  // Access with keys is tested in authorization-operations.ts and server/mcp.integration.test.ts; a session gives no access.
  'app/api/mcp/route.ts': {
    ...sameForAll(NOT_POST, { answers: 'method_not_allowed', path: () => '/api/mcp' }),
    POST: { for: 'anyone', answers: 'unauthorized', path: () => '/api/mcp', body: {} },
  },
  'app/api/v1/[...path]/route.ts': {
    ...sameForAll(['GET', 'HEAD', 'POST'], { answers: 'unauthorized', path: () => '/api/v1/workflows' }),
    ...sameForAll(['PUT', 'DELETE'], {
      answers: 'unauthorized',
      path: async (a) => `/api/v1/workflows/${await a.workflowId()}`,
    }),
    ...sameForAll(['PATCH'], { answers: 'method_not_allowed', path: () => '/api/v1/workflows' }),
    ...sameForAll(['OPTIONS'], { path: () => '/api/v1/workflows' }),
  },
  'app/files/[token]/[name]/route.ts': sameForAll(['GET', 'HEAD'], {
    answers: 'forbidden',
    path: () => '/files/no-token/file.bin',
  }),
  'app/hooks/messaging/route.ts': sameForAll(['GET', 'POST'], {
    answers: 'forbidden',
    path: () => '/hooks/messaging',
  }),
  'app/hooks/messaging/[token]/route.ts': sameForAll(['GET', 'POST'], {
    answers: 'not_found',
    path: () => '/hooks/messaging/no-token',
  }),
  'app/webhook/[token]/route.ts': webhook('/webhook/no-token'),
  'app/webhook-test/[token]/route.ts': webhook('/webhook-test/no-token'),
};

export const PAGES: Readonly<Record<string, AddressCase>> = {
  'app/page.tsx': { for: 'anyone', answers: 'redirect /workflows', path: () => '/' },
  'app/(auth)/invitations/[token]/page.tsx': { for: 'anyone', path: () => '/invitations/no-invitation' },
  'app/(auth)/forgot-password/page.tsx': { for: 'anyone', path: () => '/forgot-password' },
  'app/(auth)/reset-password/[token]/page.tsx': { for: 'anyone', path: () => '/reset-password/no-link' },
  'app/(auth)/no-access/page.tsx': { for: 'user', path: () => '/no-access' },
  'app/(auth)/sign-in/page.tsx': {
    for: 'anyone',
    answers: 'redirect /workflows',
    signedOut: 'ok',
    path: () => '/sign-in',
  },
  'app/(auth)/two-factor/page.tsx': {
    for: 'user',
    answers: 'redirect /settings/account',
    path: () => '/two-factor',
  },
  'app/(auth)/welcome/page.tsx': { for: 'anyone', answers: 'redirect /sign-in', path: () => '/welcome' },
  'app/(studio)/api-reference/page.tsx': { for: 'viewer', stranger: 'own', path: () => '/api-reference' },
  'app/(studio)/connections/[id]/page.tsx': {
    for: 'viewer',
    path: async (a) => `/connections/${await a.connectionId()}`,
  },
  'app/(studio)/connections/new/page.tsx': {
    for: 'editor',
    stranger: 'own',
    path: async (a, { userId }) => `/connections/new?login=${(await a.login(userId, 'authorized')).id}`,
  },
  'app/(studio)/connections/page.tsx': { for: 'viewer', stranger: 'own', path: () => '/connections' },
  'app/(studio)/customers/[id]/page.tsx': {
    for: 'viewer',
    path: async (a) => `/customers/${(await a.message()).customerId}`,
  },
  'app/(studio)/customers/page.tsx': { for: 'viewer', stranger: 'own', path: () => '/customers' },
  'app/(studio)/messages/[id]/page.tsx': {
    for: 'viewer',
    path: async (a) => `/messages/${(await a.message()).id}`,
  },
  'app/(studio)/reports/page.tsx': { for: 'viewer', stranger: 'own', path: () => '/reports' },
  'app/(studio)/design/page.tsx': { for: 'owner', stranger: 'own', path: () => '/design' },
  'app/(studio)/events/[id]/page.tsx': {
    for: 'viewer',
    path: async (a) => `/events/${(await a.event()).id}`,
  },
  'app/(studio)/events/page.tsx': {
    for: 'viewer',
    stranger: 'own',
    path: async (a) => `/events?workflow=${(await a.event()).workflowId}`,
  },
  'app/(studio)/gallery/page.tsx': { for: 'editor', stranger: 'own', path: () => '/gallery' },
  'app/(studio)/message-templates/new/page.tsx': {
    for: 'editor',
    stranger: 'own',
    path: async (a) => `/message-templates/new?connection=${await a.connectionId()}`,
  },
  'app/(studio)/message-templates/page.tsx': {
    for: 'viewer',
    stranger: 'own',
    path: () => '/message-templates',
  },
  'app/(studio)/runs/[id]/page.tsx': {
    for: 'viewer',
    path: async (a) => `/runs/${(await a.failedRun()).id}`,
  },
  'app/(studio)/runs/page.tsx': {
    for: 'viewer',
    stranger: 'own',
    path: async (a) => `/runs?workflow=${(await a.event()).workflowId}`,
  },
  'app/(studio)/settings/account/page.tsx': {
    for: 'viewer',
    stranger: 'own',
    path: () => '/settings/account',
  },
  'app/(studio)/settings/alerts/page.tsx': {
    for: 'viewer',
    stranger: 'own',
    path: () => '/settings/alerts',
  },
  'app/(studio)/settings/alerts/[workflowId]/page.tsx': {
    for: 'viewer',
    path: async (a) => `/settings/alerts/${await a.workflowId()}`,
  },
  'app/(studio)/settings/api-keys/page.tsx': {
    for: 'owner',
    stranger: 'own',
    path: () => '/settings/api-keys',
  },
  'app/(studio)/settings/audit-log/page.tsx': {
    for: 'owner',
    stranger: 'own',
    path: () => '/settings/audit-log',
  },
  'app/(studio)/settings/health/page.tsx': {
    for: 'viewer',
    stranger: 'own',
    path: () => '/settings/health',
  },
  'app/(studio)/settings/mail/page.tsx': {
    for: 'owner',
    stranger: 'own',
    path: () => '/settings/mail',
  },
  'app/(studio)/settings/members/page.tsx': {
    for: 'owner',
    stranger: 'own',
    path: () => '/settings/members',
  },
  'app/(studio)/settings/consent/page.tsx': {
    for: 'owner',
    stranger: 'own',
    path: () => '/settings/consent',
  },
  'app/(studio)/settings/time/page.tsx': {
    for: 'owner',
    stranger: 'own',
    path: () => '/settings/time',
  },
  'app/(studio)/settings/prices/page.tsx': {
    for: 'owner',
    stranger: 'own',
    path: () => '/settings/prices',
  },
  'app/(studio)/settings/retention/page.tsx': {
    for: 'owner',
    stranger: 'own',
    path: () => '/settings/retention',
  },
  'app/(studio)/settings/sign-in/page.tsx': {
    for: 'owner',
    stranger: 'own',
    path: () => '/settings/sign-in',
  },
  'app/(studio)/settings/page.tsx': {
    for: 'viewer',
    answers: 'redirect /settings/account',
    owner: 'redirect /settings/workspace',

    stranger: 'redirect /settings/workspace',
    path: () => '/settings',
  },
  'app/(studio)/settings/secrets/page.tsx': {
    for: 'viewer',
    stranger: 'own',
    path: async (a) => {
      await a.workflow();
      return '/settings/secrets';
    },
  },
  'app/(studio)/settings/workspace/page.tsx': {
    for: 'owner',
    stranger: 'own',
    path: () => '/settings/workspace',
  },
  'app/(studio)/workflows/[id]/page.tsx': {
    for: 'viewer',
    path: async (a) => `/workflows/${await a.workflowId()}`,
  },
  'app/(studio)/workflows/[id]/lists/page.tsx': { for: 'viewer', path: listsPath },
  'app/(studio)/workflows/[id]/lists/[listId]/page.tsx': {
    for: 'viewer',
    path: listPath,
    mixed: async (own, foreign) => `${await listsPath(own)}/${(await foreign.list('ready')).id}`,
  },
  'app/(studio)/workflows/trash/page.tsx': { for: 'viewer', stranger: 'own', path: () => '/workflows/trash' },
  'app/(studio)/workflows/(list)/page.tsx': { for: 'viewer', stranger: 'own', path: () => '/workflows' },
};
