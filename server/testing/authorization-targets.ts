// New records of one workspace for each call, created by the screens' verbs: a permitted call may change or delete them.
import { randomInt } from 'node:crypto';
import type { ListState } from '#lib/lists/schema.ts';
import { createList, readObjects } from '#lib/lists/upload-list.ts';
import { hashToken } from '#lib/core/crypto/token.ts';
import { createDestination } from '#lib/alerts/destinations/save-destination.ts';
import { listAlerts } from '#lib/alerts/list-alerts.ts';
import { testDestination } from '#lib/alerts/test-destination.ts';
import { Secret, TOTP } from 'otpauth';
import { createLink } from '#lib/approvals/links.ts';
import { createApiKey, newApiKey } from '#lib/identity/api-keys/api-keys.ts';
import type { MessagingActorContext } from '#lib/messaging/connections/context.ts';
import { createConnection } from '#lib/messaging/connections/create-connection.ts';
import { sealLogin } from '#lib/messaging/connections/login/login.ts';
import { listMessageTemplates } from '#lib/messaging/message-templates/list-message-templates.ts';
import { HIGHEST_ID, newId } from '#lib/core/ids.ts';
import { startSession } from '#lib/identity/auth/user-sessions.ts';
import { createInvitation } from '#lib/identity/members/invitations.ts';
import type { Role } from '#lib/identity/roles/roles.ts';
import { passkeys, twoFactor } from '#lib/identity/schema/sign-in.ts';
import { totpBinding } from '#lib/identity/two-factor/context.ts';
import { makeTotpSecret } from '#lib/identity/two-factor/use-code.ts';
import { createWorkspace } from '#lib/identity/workspaces/create-workspace.ts';
import { toPage } from '#lib/core/db/paging.ts';
import { createWorkflow } from '#lib/workflows/create-workflow.ts';
import { activateWorkflow, pauseWorkflow, deleteWorkflow } from '#lib/workflows/lifecycle.ts';
import type { Workflow } from '#lib/workflows/schema.ts';
import { setSecret } from '#lib/workflows/secrets/secrets.ts';
import { IDS, PHONES } from '../../sandbox/data/businesses.ts';
import { recordSent } from '#lib/messaging/sending/record-sent.ts';
import { newSecret, plantSecrets } from './planted-secrets.ts';
import { eraseCustomer } from '#lib/workflows/erasure/erase-customer.ts';

/** Canary in data that only owners see: invitations, keys and their audit entries. */
export const FOR_OWNERS = 'for-owners-only';

const NO_MAIL = { SMTP_URL: undefined, MAIL_FROM: undefined };

interface Tokens {
  access_token: string;
  refresh_token: string;
  expires_in: number;
}

interface SecretSink {
  add: (secret: string) => unknown;
}

export interface TargetsOptions {
  ctx: MessagingActorContext;
  /** Delivers an event to a workflow. @returns the event's id */
  receive: (workflow: Workflow, body: string) => Promise<string>;
  sandboxUrl: string;
  /** Canary in all content of the workspace's members. */
  mark: string;
  /** Canary that viewers never see. */
  secrets: SecretSink;
  /** Canary that no one ever sees: it was in the settings of tasks. */
  planted: SecretSink;
}

export type Targets = ReturnType<typeof createTargets>;

export function createTargets({ ctx, receive, sandboxUrl, mark, secrets, planted }: TargetsOptions) {
  const pool = ctx.db.$client;
  const forOwners = { note: `${mark} ${FOR_OWNERS}`, role: 'viewer' as const, days: 1 };
  const post = async (url: string, body: unknown): Promise<Response> => {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`${url}: ${response.status} ${await response.text()}`);
    return response;
  };
  const tokens = async (): Promise<Tokens> => {
    const made = (await (await post(`${sandboxUrl}/__sandbox/tokens`, {})).json()) as Tokens;
    secrets.add(made.access_token);
    secrets.add(made.refresh_token);
    return made;
  };

  const newSecretName = (): string => `key_${newId().replaceAll('-', '_')}`;
  const newSecretValue = (): string => {
    const value = newSecret('named');
    planted.add(value);
    return value;
  };
  /** Name of an unused secret of the workspace. */
  async function secretName(): Promise<string> {
    const name = newSecretName();
    await setSecret(ctx, { name, value: newSecretValue() });
    return name;
  }

  /** Id of an alert webhook. Earlier ones are removed, because a workspace has a maximum number. */
  async function alertDestinationId(): Promise<string> {
    await pool.query(
      `delete from alert_destinations where workspace_id = $1 and config->>'channel' = 'webhook'`,
      [ctx.workspaceId],
    );
    const { id, secret } = await createDestination(ctx, {
      name: `${mark} on call`,
      config: { channel: 'webhook', url: 'https://example.com/alerts' },
      kinds: ['run_failed'],
      enabled: true,
    });
    if (secret) planted.add(secret);
    return id;
  }
  /** Of a test alert that was not delivered. */
  async function failedDeliveryId(): Promise<string> {
    await testDestination({ ...ctx, settings: NO_MAIL }, { id: await alertDestinationId() });
    const { data } = await listAlerts(ctx, { limit: 1 });
    const id = data[0]?.deliveries[0]?.id ?? '';
    await pool.query('update alert_deliveries set failed_at = now() where id = $1', [id]);
    return id;
  }

  let ofWorkflows: Promise<string> | undefined;

  /** Published, active, and with a schedule. */
  async function scheduledWorkflowId(): Promise<string> {
    const task = { id: 1, type: 'schedule_trigger', settings: { cron: '0 9 1 1 *' } };
    const drawn = { name: `Workflow ${mark}`, tasks: [task], edges: [], publish: true };
    const { id } = await createWorkflow(ctx, drawn);
    return id;
  }

  /** Published and active; task 1 is its trigger, task 2 sets variables, all of its tasks contain secrets. */
  async function workflow(): Promise<Workflow & { planted: string[] }> {
    const { tasks, secrets: inTasks } = plantSecrets(mark, await (ofWorkflows ??= secretName()));
    for (const secret of inTasks) planted.add(secret);
    const made = await createWorkflow(ctx, {
      name: `Workflow ${mark}`,
      tasks: [{ id: 1, type: 'inbound_webhook', settings: {} }, ...tasks],
      edges: tasks.map(({ id }) => ({ from: id - 1, to: id })),
      publish: true,
    });
    secrets.add(made.webhook.token);
    return { ...made, planted: inTasks };
  }

  /** Like from a webhook: with a queued run, because no worker runs. */
  async function event(): Promise<{ id: string; runId: string; workflowId: string; planted: string[] }> {
    const made = await workflow();
    const { id: workflowId, planted: inTasks } = made;
    const id = await receive(made, JSON.stringify({ note: mark }));
    const { rows } = await pool.query<{ run_id: string }>('select run_id from events where id = $1', [id]);
    return { id, runId: rows[0]?.run_id ?? '', workflowId, planted: inTasks };
  }

  /** It arrived while its workflow was paused. */
  async function keptEvent(): Promise<string> {
    const made = await workflow();
    await pauseWorkflow(ctx, made);
    const id = await receive(made, '{}');
    await activateWorkflow(ctx, made);
    return id;
  }

  /** Failed at task 2, which has an unknown outcome; the response to task 3 repeated its request. */
  async function failedRun(): Promise<{ id: string; workflowId: string }> {
    const { runId: id, workflowId, planted: inTasks } = await event();
    const echo = JSON.stringify({ status: 200, headers: {}, body: { echo: inTasks.join(' ') } });
    await pool.query(
      `update runs set status = 'failed', started_at = now(), finished_at = now() where id = $1`,
      [id],
    );
    await pool.query(
      `insert into task_runs (run_id, task_id, status, output, started_at, finished_at)
       values ($1, 1, 'succeeded', null, now(), now()), ($1, 2, 'outcome_unknown', $2, now(), now()),
         ($1, 3, 'succeeded', $2, now(), now())`,
      [id, echo],
    );
    return { id, workflowId };
  }

  /** A message to a customer, which a run sent. */
  async function message(): Promise<{ id: string; customerId: string }> {
    const { id: runId } = await failedRun();
    const recipient = `15551${randomInt(1e6, 1e7)}`;
    const id = `wamid.${newId()}`;
    await recordSent(ctx, {
      messageId: id,
      connectionId: runId,
      phoneNumberId: PHONES[0]?.id ?? '',
      recipient,
      kind: 'text',
      taskRun: { runId, taskId: 2, iteration: '' },
    });
    const { rows } = await pool.query<{ id: string }>(
      'select customer_id as id from customer_names where workspace_id = $1 and name = $2',
      [ctx.workspaceId, recipient],
    );
    return { id, customerId: rows[0]?.id ?? '' };
  }

  /** Of a customer whose erasure no worker has begun. */
  const erasureId = async (): Promise<string> =>
    (await eraseCustomer(ctx, { id: (await message()).customerId })).id;

  /** Token of an undecided link. */
  async function approvalToken(): Promise<string> {
    const { runId } = await event();
    const labels = { approveLabel: 'Approve', rejectLabel: 'Reject' };
    const { token } = await createLink(pool, {
      ...labels,
      workspaceId: ctx.workspaceId,
      runId,
      taskId: 2,
      question: 'Approve this?',
      details: '',
      hasComment: true,
      expiresAt: new Date(Date.now() + 3_600_000),
    });
    secrets.add(token);
    return token;
  }

  let registrations = 0;
  const connect = async (businessAccountId?: string): Promise<{ id: string }> =>
    createConnection(ctx, {
      name: `Connection ${mark}`,
      ...(await tokens()),
      ...(businessAccountId === undefined ? {} : { business_account_id: businessAccountId }),
    });
  let shared: Promise<{ id: string }> | undefined;

  /** A login of a user: waiting for the platform, or for the selection of an account. */
  async function login(
    userId: string,
    step: 'started' | 'authorized',
  ): Promise<{ id: string; state: string; businessAccountId: string }> {
    const [id, state, businessAccountId] = [newId(), newApiKey(), IDS.clinic];
    const { access_token: accessToken, refresh_token: refreshToken } = await tokens();
    const answered = { accessToken, refreshToken, expiresInSeconds: 1800, refreshExpiresInSeconds: null };
    const login =
      step === 'started'
        ? { step, codeVerifier: newApiKey() }
        : { step, ...answered, receivedAt: Date.now(), scopes: ctx.platform.scopes };
    await pool.query('delete from connections where workspace_id = $1 and business_account_id = $2', [
      ctx.workspaceId,
      businessAccountId,
    ]);
    await pool.query(
      `insert into connection_logins (id, state_hash, workspace_id, user_id, secrets_encrypted, expires_at)
       values ($1, $2, $3, $4, $5, now() + interval '10 minutes')`,
      [id, step === 'started' ? hashToken(state) : null, ctx.workspaceId, userId, sealLogin(ctx, id, login)],
    );
    return { id, state, businessAccountId };
  }

  /** A token, and an unconnected business account. */
  async function pasted(): Promise<{ accessToken: string; businessAccountId: string }> {
    const businessAccountId = IDS.cafe;
    await pool.query('delete from connections where business_account_id = $1', [businessAccountId]);
    return { accessToken: (await tokens()).access_token, businessAccountId };
  }

  async function member(role: Role = 'viewer'): Promise<string> {
    const userId = newId();
    await pool.query('insert into users (id, email) values ($1, $2)', [userId, `${userId}@${mark}.example`]);
    await pool.query('insert into memberships (workspace_id, user_id, role) values ($1, $2, $3)', [
      ctx.workspaceId,
      userId,
      role,
    ]);
    return userId;
  }

  /** Another workspace with an owner, of which a user is a viewer. */
  async function workspaceJoinedBy(userId: string): Promise<string> {
    const { id } = await createWorkspace(ctx.db, { name: `Joined ${mark}`, userId: await member() });
    await pool.query(`insert into memberships (workspace_id, user_id, role) values ($1, $2, 'viewer')`, [
      id,
      userId,
    ]);
    return id;
  }

  return {
    alertDestinationId,
    failedDeliveryId,
    workflow,
    scheduledWorkflowId,
    newSecretName,
    newSecretValue,
    secretName,
    event,
    failedRun,
    message,
    erasureId,
    approvalToken,
    login,
    pasted,
    member,
    workspaceJoinedBy,
    workflowId: async (): Promise<string> => (await workflow()).id,
    keptEvent,
    /** A list of two rows in a state, the first of which failed, another one each time. */
    async list(state: ListState): Promise<{ id: string; workflowId: string }> {
      const { id: runId, workflowId } = await failedRun();
      const rows = [1, 2].map(() => ({ phone: `1555${randomInt(1_000_000, 9_999_999)}` }));
      const { list } = await createList(ctx, readObjects(rows), { workflowId, name: `${mark} list` });
      await pool.query('update send_lists set state = $2, work_at = null where id = $1', [list.id, state]);
      if (state !== 'ready')
        await pool.query(
          `update send_list_rows set state = 'failed', run_id = $2 where list_id = $1 and line = 1`,
          [list.id, runId],
        );
      return { id: list.id, workflowId };
    },
    async deletedWorkflowId(): Promise<string> {
      const { id } = await workflow();
      await deleteWorkflow(ctx, { id });
      return id;
    },
    /** Connection of the bookshop's account; it must not be deleted. */
    connectionId: async (): Promise<string> => (await (shared ??= connect(IDS.books))).id,
    /** One that can be registered, another one each time: the platform counts the attempts of each. */
    phoneNumberId: (): string => PHONES[registrations++ % PHONES.length]?.id ?? '',
    /** One that can be edited and deleted, with its connection. */
    async approvedTemplate(): Promise<{ id: string; templateId: string; name: string }> {
      const { id } = await (shared ??= connect(IDS.books));
      const approved = await listMessageTemplates(ctx, { id, status: 'APPROVED', limit: 1000 });
      // The first ones are used by others.
      const template = approved.at(-1);
      return { id, templateId: template?.id ?? '', name: template?.name ?? '' };
    },
    freshConnectionId: async (): Promise<string> => (await connect()).id,
    /** In another browser of a user. */
    sessionId: (userId: string): Promise<string> => startSession(ctx.db, userId, { signedInBy: 'password' }),
    /** A user's passkey, only for renaming and deleting. */
    async passkeyId(userId: string): Promise<string> {
      const id = newId();
      const made = { credentialId: Buffer.from(id), publicKey: Buffer.from(id), counter: 0 };
      await ctx.db.insert(passkeys).values({ id, userId, name: 'Laptop', rpId: 'localhost', ...made });
      return id;
    },
    async withoutTwoFactor(): Promise<void> {
      await ctx.db.delete(twoFactor);
    },
    /** Sets up a second factor for a user, or its key. @returns the current code of its app */
    async twoFactorCode(userId: string, confirmedAt: Date | null): Promise<string> {
      const secret = makeTotpSecret();
      const row = {
        userId,
        secret: ctx.secrets.seal(secret, totpBinding(userId)),
        createdAt: new Date(),
        confirmedAt,
        lastStep: 0,
      };
      await ctx.db.insert(twoFactor).values(row).onConflictDoUpdate({ target: twoFactor.userId, set: row });
      return TOTP.generate({ secret: Secret.fromBase32(secret) });
    },
    async invitationId(): Promise<string> {
      const { id, url } = await createInvitation(ctx, forOwners);
      secrets.add(url.slice(url.lastIndexOf('/') + 1));
      return id;
    },
    async apiKey(): Promise<{ id: string; key: string }> {
      const made = await createApiKey(ctx, { name: forOwners.note });
      secrets.add(made.key);
      return made;
    },
    /** After the newest entry of this workspace. */
    async auditCursor(): Promise<string> {
      await createInvitation(ctx, forOwners);
      const { rows } = await pool.query<{ id: string }>(
        'select id from audit_entries order by id desc limit 1',
      );
      return cursorOf(rows[0]?.id ?? '');
    },
    /** Behind the newest. */
    alertCursor: () => cursorOf(HIGHEST_ID),
  };
}

const cursorOf = (id: string): string => toPage([{ id }, { id }], 1, (row) => row).next_cursor ?? '';
