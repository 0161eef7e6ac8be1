import { cookies } from 'next/headers';
import { WORKSPACE_COOKIE } from './session.ts';

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
