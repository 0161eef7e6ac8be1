import { cookies } from 'next/headers';
import { processRuntime } from '#lib/core/process-runtime.ts';
import { isSessionCookie } from './cookies.ts';
import { findUser, WORKSPACE_COOKIE } from './session.ts';
import { endSession } from './user-sessions.ts';

const YEAR_SECONDS = 31_536_000;

/** Selects the workspace of this browser. The caller has checked that the user is a member. */
export async function chooseWorkspace(id: string): Promise<void> {
  (await cookies()).set(WORKSPACE_COOKIE, id, {
    httpOnly: true,
    sameSite: 'lax',
    path: '/',
    maxAge: YEAR_SECONDS,
  });
}

/** Ends the session of this browser, in the database and in the browser. For server actions. */
export async function signOutHere(): Promise<void> {
  const user = await findUser();
  if (user) await endSession((await processRuntime()).db, user.sessionId);
  const jar = await cookies();
  for (const { name } of jar.getAll()) if (isSessionCookie(name)) jar.delete(name);
}
