import { createFirstOwner } from '#lib/identity/auth/create-account.ts';
import { createConnection } from '#lib/messaging/connections/create-connection.ts';
import { createSecretBox } from '#lib/core/crypto/secret-box.ts';
import type { Database } from '#lib/core/db/client.ts';
import { parseSettings } from '#lib/core/env.ts';
import { platformSettingsOf } from '#lib/messaging/platform/settings.ts';
import { createWorkflow } from '#lib/workflows/create-workflow.ts';
import { saveDraft } from '#lib/workflows/save-draft.ts';
import { ensureFirstWorkspace } from '#lib/identity/workspaces/create-workspace.ts';
import { IDS } from '../../sandbox/data/businesses.ts';
import type { Product } from '../../server/testing/product.ts';

export const ACCOUNT = { email: 'owner@example.test', password: 'four words in a row' };

const TASKS_OF_LARGE = 300;
const COLUMNS = 20;
const COLUMN_PX = 340;
const ROW_PX = 180;
const EVENTS = 120;

export interface Seeded {
  smallId: string;
  largeId: string;
}

const position = (index: number) => ({
  x: (index % COLUMNS) * COLUMN_PX,
  y: Math.floor(index / COLUMNS) * ROW_PX,
});

/** A chain of tasks in rows; every tenth branches to the one below it, so that edges cross the workflow. */
function drawing(name: string, count: number) {
  const tasks = Array.from({ length: count }, (_, index) => {
    const id = index + 1;
    if (index === 0)
      return { id, type: 'inbound_webhook', name: 'Order arrives', settings: {}, position: position(0) };
    const variables = [{ name: 'text', value: `Step ${id} of {{task_1_customer_name}}` }];
    return {
      id,
      type: 'set_variables',
      name: `Step ${id}`,
      settings: { variables },
      position: position(index),
    };
  });
  const chain = tasks.slice(1).map(({ id }) => ({ from: id - 1, to: id }));
  const across = tasks
    .filter(({ id }) => id % 10 === 0 && id + COLUMNS <= count)
    .map(({ id }) => ({ from: id, to: id + COLUMNS }));
  return { name, tasks, edges: [...chain, ...across] };
}

/** An owner, this many workflows (one of 5 tasks and one of 300 among them), a connection and 120 events, through the verbs. */
export async function seed(
  db: Database,
  { base, sandbox, settings }: Product,
  workflows: number,
): Promise<Seeded> {
  const { id: actor } = await createFirstOwner(db, ACCOUNT);
  const ctx = {
    db,
    secrets: createSecretBox(settings['ENCRYPTION_KEYS'] ?? ''),
    baseUrl: base,
    workspaceId: await ensureFirstWorkspace(db),
    actor,
    platform: platformSettingsOf(parseSettings(settings)),
  };
  const small = await createWorkflow(ctx, { ...drawing('Order confirmation', 5), publish: true });
  const { id: largeId, draft_revision } = await createWorkflow(ctx, drawing('A large one', 1));
  await saveDraft(ctx, { id: largeId, draft_revision, ...drawing('A large one', TASKS_OF_LARGE) });
  for (let number = 3; number <= workflows; number += 1)
    await createWorkflow(ctx, { ...drawing(`Workflow ${number}`, 4), publish: number % 2 === 0 });
  const tokens = await postJson(`${sandbox.url}/__sandbox/tokens`, {});
  await createConnection(ctx, {
    name: 'Harbour Street Books',
    business_account_id: IDS.books,
    ...((await tokens.json()) as { access_token: string; refresh_token: string; expires_in: number }),
  });
  for (let number = 1; number <= EVENTS; number += 1)
    await postJson(`${base}/webhook/${small.webhook.token}`, { id: number, customer: { name: 'A guest' } });
  return { smallId: small.id, largeId };
}

async function postJson(url: string, body: unknown): Promise<Response> {
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
  if (!response.ok) throw new Error(`${url}: ${response.status} ${await response.text()}`);
  return response;
}
