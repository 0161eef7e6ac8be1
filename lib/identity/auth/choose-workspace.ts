import { cookies } from 'next/headers';
import { WORKSPACE_COOKIE } from './session.ts';

const YEAR_SECONDS = 31_536_000;

/** Which workspace the browser works in from now on. The caller made sure that the user is a member of it. */
export async function chooseWorkspace(id: string): Promise<void> {
  (await cookies()).set(WORKSPACE_COOKIE, id, {
    httpOnly: true,
    sameSite: 'lax',
    path: '/',
    maxAge: YEAR_SECONDS,
  });
}
