import { cookies } from 'next/headers';
import { processRuntime } from '#lib/core/process-runtime.ts';
import { findUser } from './session.ts';
import { endSession } from './user-sessions.ts';

/** Ends the session of this browser, in the database and in the browser. For server actions. */
export async function signOutHere(): Promise<void> {
  const user = await findUser();
  if (user) await endSession((await processRuntime()).db, user.sessionId);
  const jar = await cookies();
  for (const { name } of jar.getAll()) if (name.includes('next-auth.session-token')) jar.delete(name);
}
