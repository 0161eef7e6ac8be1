import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { listAuditEntries } from '#lib/identity/audit/list-audit-entries.ts';
import { userSessions } from '#lib/identity/schema/accounts.ts';
import { createTestContext, type TestContext } from '#lib/identity/testing/test-context.ts';
import type { ActorContext } from '#lib/identity/context.ts';
import { newId } from '#lib/core/ids.ts';
import { createFirstOwner } from './create-account.ts';
import { endOwnOtherSessions, endOwnSession, listSessions } from './own-sessions.ts';
import { findSessionUser, noteSeen, startSession } from './user-sessions.ts';

const FIREFOX = 'Mozilla/5.0 (X11; Ubuntu; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0';

let world: TestContext;
let ctx: ActorContext;
let userId: string;
beforeAll(async () => {
  world = await createTestContext();
  const owner = { email: 'owner@example.com', password: 'correct horse battery' };
  userId = (await createFirstOwner(world.ctx.db, owner)).id;
  ctx = { ...world.ctx, actor: userId };
});
afterAll(() => world.end());

const start = (userAgent: string | null, address: string | null) =>
  startSession(ctx.db, userId, { signedInBy: 'password', userAgent, address });

test('browsers are listed in words, this one first, and without those whose session has expired', async () => {
  const other = await start(null, null);
  const expired = await start(null, null);
  await ctx.db
    .update(userSessions)
    .set({ expiresAt: sql`now()` })
    .where(eq(userSessions.id, expired));
  // Starting one removes those that have expired.
  const here = await start(FIREFOX, '192.0.2.1');
  const listed = await listSessions(ctx.db, { userId, sessionId: here });
  expect(listed).toMatchObject([
    { id: here, browser: 'Firefox on Linux', address: '192.0.2.1', isThisOne: true },
    { id: other, browser: 'Unknown browser', address: null, isThisOne: false },
  ]);
  expect(Date.now() - Date.parse(listed[0]?.lastSeenAt ?? '')).toBeLessThan(60_000);
});

test('one browser is signed out, at once, and only by its owner', async () => {
  const [here, there] = [await start(FIREFOX, null), await start(FIREFOX, null)];
  for (const wrong of [
    { userId: newId(), id: there },
    { userId, id: newId() },
    { userId, id: 'no id' },
  ])
    await expect(endOwnSession(ctx, wrong)).rejects.toMatchObject({ code: 'not_found' });
  await endOwnSession(ctx, { userId, id: there });
  expect(await findSessionUser(ctx.db, there)).toBeNull();
  expect(await findSessionUser(ctx.db, here)).not.toBeNull();
  const [entry] = (await listAuditEntries(ctx, { limit: 1 })).data;
  expect(entry).toMatchObject({ action: 'session.ended', targetName: 'Firefox on Linux' });
});

test('all other browsers are signed out', async () => {
  await ctx.db.delete(userSessions);
  const here = await start(FIREFOX, null);
  await start(null, null);
  await start(null, null);
  const own = { userId, sessionId: here };
  expect(await endOwnOtherSessions(ctx, own)).toEqual({ endedSessions: 2 });
  expect(await endOwnOtherSessions(ctx, own)).toEqual({ endedSessions: 0 });
  expect(await listSessions(ctx.db, own)).toMatchObject([{ id: here }]);
});

test('that a session is used is noted every five minutes at most', async () => {
  const id = await start(FIREFOX, '192.0.2.1');
  const seen = async () => {
    const [row] = await ctx.db.select().from(userSessions).where(eq(userSessions.id, id));
    return row;
  };
  const before = await seen();
  expect(await findSessionUser(ctx.db, id)).toMatchObject({ isSeenLongAgo: false });
  await noteSeen(ctx.db, id, '192.0.2.2');
  expect(await seen()).toEqual(before);
  await ctx.db
    .update(userSessions)
    .set({ lastSeenAt: sql`now() - interval '301 seconds'` })
    .where(eq(userSessions.id, id));
  expect(await findSessionUser(ctx.db, id)).toMatchObject({ isSeenLongAgo: true });
  await noteSeen(ctx.db, id, '192.0.2.2');
  expect(await seen()).toMatchObject({ address: '192.0.2.2' });
  expect(await findSessionUser(ctx.db, id)).toMatchObject({ isSeenLongAgo: false });
});
