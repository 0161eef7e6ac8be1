import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { webhookTokens, workflows, workflowVersions } from '#lib/engine/schema/workflows.ts';
import { hashToken } from '#lib/core/crypto/token.ts';
import { newId } from '#lib/core/ids.ts';
import { createTestContext, type TestContext } from '#lib/identity/testing/test-context.ts';
import {
  activateWorkflow,
  deleteWorkflow,
  pauseWorkflow,
  rotateToken,
  unpublishWorkflow,
} from './lifecycle.ts';
import { createWorkflow } from './create-workflow.ts';
import { getWorkflow, listWorkflows } from './load-workflow.ts';
import { getVersion, listVersions, restoreWorkflow } from './versions.ts';
import { publishWorkflow } from './publish-workflow.ts';
import { replaceDraft, writeDraft } from './save-draft.ts';
import { listAuditEntries } from '#lib/identity/audit/list-audit-entries.ts';
import { untilWaiting } from '#lib/testing/until-waiting.ts';
import { draftSchema, newWorkflowSchema, type Workflow } from './schema.ts';
import { callingGraph, drawing } from '#lib/workflows/testing/test-graphs.ts';

let context: TestContext;
beforeAll(async () => {
  context = await createTestContext();
});
afterAll(() => context.end());

const make = (input = callingGraph()): Promise<Workflow> => createWorkflow(context.ctx, input);
const put = (id: string, input: object) => replaceDraft(context.ctx, { ...draftSchema.parse(input), id });
const problems = (list: { path: string }[]) => ({
  code: 'invalid_workflow',
  problems: list.map((each) => expect.objectContaining(each) as unknown),
});

describe('a new workflow', () => {
  test('is neither published nor active, and has URLs of its own', async () => {
    const workflow = await make();
    const { token } = workflow.webhook;
    expect(workflow).toMatchObject({
      name: 'Orders',
      published_version: null,
      active: false,
      draft_revision: 1,
      next_task_id: 3,
    });
    expect(token).toMatch(/^[\w-]{32}$/);
    expect(workflow.webhook).toEqual({
      token,
      production_url: `https://patchbay.example/webhook/${token}`,
      test_url: `https://patchbay.example/webhook-test/${token}`,
    });
    expect((await make()).webhook.token).not.toBe(token);
  });

  test('is published at once when that is asked for, and not made at all when it cannot be', async () => {
    const workflow = await make({ ...callingGraph(), publish: true });
    expect(workflow).toMatchObject({ published_version: 1, active: true });
    const incomplete = { ...drawing([{ id: 2, type: 'http_request' }], [{ from: 1, to: 2 }]), publish: true };
    const before = await listWorkflows(context.ctx, { limit: 100 });
    await expect(make(incomplete)).rejects.toMatchObject({ code: 'invalid_workflow' });
    expect((await listWorkflows(context.ctx, { limit: 100 })).data).toHaveLength(before.data.length);
  });

  test('keeps settings as they were given, and names tasks after their type', async () => {
    const workflow = await make();
    expect(workflow.tasks.map(({ name, settings }) => [name, settings])).toEqual([
      ['Inbound webhook', {}],
      ['HTTP request', { url: 'https://example.com/' }],
    ]);
  });

  test('the token is kept encrypted and found by its hash', async () => {
    const { webhook, id } = await make();
    const [row] = await context.ctx.db.select().from(webhookTokens).where(eq(webhookTokens.workflowId, id));
    expect(row?.tokenHash.equals(hashToken(webhook.token))).toBe(true);
    expect(row?.tokenEncrypted).not.toContain(webhook.token);
  });

  test('docs/api.md: what is exported can be imported', async () => {
    const exported = JSON.parse(JSON.stringify(await make())) as Workflow;
    const imported = await make(newWorkflowSchema.parse(exported));
    expect(imported).toMatchObject({ name: exported.name, tasks: exported.tasks, edges: exported.edges });
    expect(imported.id).not.toBe(exported.id);
  });

  test('docs/api.md: every problem of graph and settings is listed by its path', async () => {
    const bad = drawing(
      [
        { id: 2, type: 'teleport' },
        { id: 3, type: 'http_request', settings: { url: '{{#if}}', speed: 1 } },
        { id: 3, type: 'inbound_webhook' },
      ],
      [{ from: 1, to: 9 }],
    );
    await expect(make(bad)).rejects.toMatchObject({
      code: 'invalid_workflow',
      problems: expect.arrayContaining([
        expect.objectContaining({ path: 'tasks[1].type' }),
        expect.objectContaining({ path: 'tasks[2].settings.url' }),
        expect.objectContaining({ path: 'tasks[2].settings.speed' }),
        expect.objectContaining({ path: 'tasks[3].id' }),
        expect.objectContaining({ path: 'tasks[3]' }),
        expect.objectContaining({ path: 'edges[0].to' }),
      ]) as unknown,
    });
  });

  test('U+0000 is refused where it stands, lengths and counts have limits', () => {
    const parse = (change: object) =>
      newWorkflowSchema
        .safeParse({ ...callingGraph(), ...change })
        .error?.issues.map(({ path }) => path.join('.'));
    expect(parse({ name: 'a\0b' })).toEqual(['name']);
    expect(parse({ name: 'a'.repeat(201) })).toEqual(['name']);
    expect(parse({ tasks: [{ id: 1, type: 'inbound_webhook', settings: { a: [{ b: '\0' }] } }] })).toEqual([
      'tasks.0.settings.a.0.b',
    ]);
    expect(parse({ tasks: [{ id: 1, type: 'inbound_webhook', settings: { '\0': 1 } }] })).toEqual([
      'tasks.0.settings',
    ]);
    const tasks = Array.from({ length: 501 }, (_, index) => ({ id: index + 1, type: 'delay' }));
    expect(parse({ tasks })).toEqual(['tasks']);
  });
});

describe('replacing the draft', () => {
  test('raises the revision and leaves what is published alone', async () => {
    const { id } = await make();
    await publishWorkflow(context.ctx, { id });
    const changed = await put(id, { ...drawing(), name: 'Changed' });
    expect(changed).toMatchObject({ name: 'Changed', draft_revision: 2, published_version: 1, edges: [] });
    expect(changed.tasks).toHaveLength(1);
  });

  test('of another revision than the given one is a conflict, and nothing is written', async () => {
    const { id } = await make();
    await put(id, { ...drawing(), draft_revision: 1 });
    await expect(put(id, { ...callingGraph(), draft_revision: 1 })).rejects.toMatchObject({
      code: 'conflict',
    });
    expect((await getWorkflow(context.ctx, { id })).tasks).toHaveLength(1);
  });

  test('two editors at once: one of them is told', async () => {
    const { id } = await make();
    const both = await Promise.allSettled(
      [1, 2].map((n) => put(id, { ...drawing(), name: `N${n}`, draft_revision: 1 })),
    );
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  });

  test('docs/glossary.md: the id of a removed task is never used again', async () => {
    const { id } = await make();
    await put(id, drawing());
    await expect(put(id, callingGraph())).rejects.toMatchObject(problems([{ path: 'tasks[1].id' }]));
    const three = drawing([{ id: 3, type: 'delay' }], [{ from: 1, to: 3 }]);
    expect(await put(id, three)).toMatchObject({ next_task_id: 4 });
  });

  test('an id cannot go to a task of another type, and the trigger keeps its own', async () => {
    const { id } = await make();
    const other = drawing([{ id: 2, type: 'delay' }], [{ from: 1, to: 2 }]);
    await expect(put(id, other)).rejects.toMatchObject(problems([{ path: 'tasks[1].id' }]));
    const moved = { name: 'x', tasks: [{ id: 7, type: 'inbound_webhook' }] };
    await expect(put(id, moved)).rejects.toMatchObject(problems([{ path: 'tasks[0].id' }]));
  });
});

describe('publishing', () => {
  test('stores a version with all defaults and activates the first time only', async () => {
    const { id } = await make(callingGraph({ response_type: 'after_workflow' }));
    expect(await publishWorkflow(context.ctx, { id })).toMatchObject({ published_version: 1, active: true });
    const [version] = await context.ctx.db
      .select()
      .from(workflowVersions)
      .where(eq(workflowVersions.workflowId, id));
    expect(version).toMatchObject({ version: 1, name: 'Orders', createdBy: 'test' });
    expect(version?.graph.tasks[0]?.settings).toMatchObject({
      response_type: 'after_workflow',
      response_format: 'auto',
    });
    const [row] = await context.ctx.db.select().from(workflows).where(eq(workflows.id, id));
    expect(row).toMatchObject({ answersAfterRun: true, triggerTaskId: 1 });
    await pauseWorkflow(context.ctx, { id });
    await put(id, callingGraph({ response_body: 'Changed' }));
    expect(await publishWorkflow(context.ctx, { id })).toMatchObject({ published_version: 2, active: false });
  });

  test('makes no version that is the same as the last one', async () => {
    const { ctx } = context;
    const { id } = await make(callingGraph());
    const first = await publishWorkflow(ctx, { id });
    expect(await publishWorkflow(ctx, { id })).toEqual(first);
    const { data: entries } = await listAuditEntries(ctx, { limit: 2 });
    expect(entries.map(({ action }) => action)).toEqual(['workflow.published', 'workflow.created']);
    await unpublishWorkflow(ctx, { id });
    expect(await publishWorkflow(ctx, { id })).toMatchObject({ published_version: 1, active: true });
    const {
      data: [latest],
    } = await listAuditEntries(ctx, { limit: 1 });
    expect(latest).toMatchObject({ action: 'workflow.published' });
    expect(await listVersions(ctx, { id })).toMatchObject([{ version: 1 }]);
    const note = { id: 'n', text: 'Ask the bank', position: { x: 0, y: 200 } };
    await put(id, { ...callingGraph(), notes: [note] });
    expect(await publishWorkflow(ctx, { id })).toMatchObject({ published_version: 2 });
    expect(await getVersion(ctx, { id, version: 2 })).toMatchObject({ notes: [note] });
  });

  test('asks for what a draft may still lack', async () => {
    const { id } = await make(drawing([{ id: 2, type: 'http_request' }], [{ from: 1, to: 2 }]));
    await expect(publishWorkflow(context.ctx, { id })).rejects.toMatchObject(
      problems([{ path: 'tasks[1].settings.url' }]),
    );
    expect(await getWorkflow(context.ctx, { id })).toMatchObject({ published_version: null, active: false });
  });

  test('can be undone; activating needs it', async () => {
    const { id } = await make();
    await expect(activateWorkflow(context.ctx, { id })).rejects.toMatchObject({ code: 'conflict' });
    await publishWorkflow(context.ctx, { id });
    expect(await pauseWorkflow(context.ctx, { id })).toMatchObject({ active: false, published_version: 1 });
    expect(await activateWorkflow(context.ctx, { id })).toMatchObject({ active: true });
    expect(await unpublishWorkflow(context.ctx, { id })).toMatchObject({ published_version: null });
    expect(await publishWorkflow(context.ctx, { id })).toMatchObject({ published_version: 1, active: true });
  });
});

describe('new URLs', () => {
  const tokensOf = (id: string) =>
    context.ctx.db.select().from(webhookTokens).where(eq(webhookTokens.workflowId, id));

  test('leave the old ones alive for the given time', async () => {
    const { id, webhook } = await make();
    const rotated = await rotateToken(context.ctx, { id, keep_old_for_seconds: 3600 });
    expect(rotated.webhook.token).not.toBe(webhook.token);
    const old = (await tokensOf(id)).find((row) => row.tokenHash.equals(hashToken(webhook.token)));
    const leftSeconds = ((old?.expiresAt?.getTime() ?? 0) - Date.now()) / 1000;
    expect(leftSeconds).toBeGreaterThan(3500);
    expect(leftSeconds).toBeLessThan(3700);
  });

  test('end all older ones at once when told so', async () => {
    const { id } = await make();
    await rotateToken(context.ctx, { id, keep_old_for_seconds: 3600 });
    const last = await rotateToken(context.ctx, { id, keep_old_for_seconds: 0 });
    const alive = (await tokensOf(id)).filter(
      (row) => row.expiresAt === null || row.expiresAt.getTime() > Date.now(),
    );
    expect(alive.map((row) => row.tokenHash)).toEqual([hashToken(last.webhook.token)]);
  });
});

test('lists are read newest first, page by page', async () => {
  const { stranger } = context;
  const made: string[] = [];
  for (let n = 0; n < 5; n += 1) made.push((await createWorkflow(stranger, drawing())).id);
  const seen: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await listWorkflows(stranger, { limit: 2, cursor });
    expect(page.data.length).toBeLessThanOrEqual(2);
    seen.push(...page.data.map(({ id }) => id));
    cursor = page.next_cursor ?? undefined;
  } while (cursor);
  expect(seen).toEqual(made.reverse());
  await expect(listWorkflows(stranger, { limit: 2, cursor: 'nonsense' })).rejects.toMatchObject({
    code: 'invalid_request',
  });
});

describe('two people at the same workflow', () => {
  test("a draft that somebody else saved meanwhile is not published with one's own", async () => {
    const { id, draft_revision, tasks, edges } = await make();
    const { ctx } = context;
    const publishing = await ctx.db.transaction(async (tx) => {
      await writeDraft(ctx, tx, { id, draft_revision, name: 'Not looked at', tasks, edges });
      const answer = Promise.allSettled([publishWorkflow(ctx, { id, draft_revision })]);
      await untilWaiting(ctx.db.$client);
      // In an object, because otherwise the transaction would await it.
      return { answer };
    });
    expect(await publishing.answer).toMatchObject([{ status: 'rejected', reason: { code: 'conflict' } }]);
    expect(await getWorkflow(ctx, { id })).toMatchObject({ published_version: null, name: 'Not looked at' });
  });

  test('what is as wanted is not recorded as a change', async () => {
    const { id } = await make({ ...callingGraph(), publish: true });
    const { ctx } = context;
    const paused = await pauseWorkflow(ctx, { id });
    expect(await pauseWorkflow(ctx, { id })).toEqual(paused);
    const { data } = await listAuditEntries(ctx, { limit: 2 });
    expect(data.map(({ action }) => action)).toEqual(['workflow.paused', 'workflow.published']);
  });
});

describe('nothing is found that is not there', () => {
  const verbs: [string, (ctx: TestContext['ctx'], id: string) => Promise<unknown>][] = [
    ['get', (ctx, id) => getWorkflow(ctx, { id })],
    ['replace', (ctx, id) => replaceDraft(ctx, { ...drawing(), draft_revision: undefined, id })],
    ['publish', (ctx, id) => publishWorkflow(ctx, { id })],
    ['unpublish', (ctx, id) => unpublishWorkflow(ctx, { id })],
    ['activate', (ctx, id) => activateWorkflow(ctx, { id })],
    ['pause', (ctx, id) => pauseWorkflow(ctx, { id })],
    ['rotate', (ctx, id) => rotateToken(ctx, { id, keep_old_for_seconds: 0 })],
    ['delete', (ctx, id) => deleteWorkflow(ctx, { id })],
    ['restore', (ctx, id) => restoreWorkflow(ctx, { id })],
  ];
  test.each(verbs)('%s: not of another workspace, not an unknown id, not what is no id', async (_, verb) => {
    const { id } = await make();
    const { ctx, stranger } = context;
    await expect(verb(stranger, id)).rejects.toMatchObject({ code: 'not_found' });
    await expect(verb(ctx, newId())).rejects.toMatchObject({ code: 'not_found' });
    await expect(verb(ctx, "1'; drop table workflows; --")).rejects.toMatchObject({ code: 'not_found' });
    expect((await getWorkflow(ctx, { id })).draft_revision).toBe(1);
  });
});
