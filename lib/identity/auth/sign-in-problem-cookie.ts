// Passes the reason for a failed sign-in to the sign-in page: next-auth itself only reports that it failed.
import type { Settings } from '#lib/core/env.ts';
import type { SignInProblem } from './sign-in-problem.ts';

export const SIGN_IN_PROBLEM_COOKIE = 'sign-in-problem';
const SECONDS = 60;

/** The `Set-Cookie` for the sign-in page that is shown next. It contains a code, never a text. */
export function signInProblemCookie(
  { BASE_URL }: Pick<Settings, 'BASE_URL'>,
  problem: SignInProblem,
): string {
  const secure = BASE_URL.startsWith('https:') ? '; Secure' : '';
  return `${SIGN_IN_PROBLEM_COOKIE}=${problem}; Path=/sign-in; Max-Age=${SECONDS}; HttpOnly; SameSite=Lax${secure}`;
}
