import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser';
import type { ActionResult } from '#lib/identity/auth/action-types.ts';
import { PASSKEY_PROVIDER_ID } from '#lib/identity/auth/passkey-names.ts';
import { readSignInError } from './sign-in-error.ts';
import { signIn } from './sign-in.ts';

export type StartPasskey = (
  input: Record<string, never>,
) => Promise<ActionResult<PublicKeyCredentialRequestOptionsJSON>>;

/** Lets the browser ask for a passkey. @returns the problem; empty: none */
export async function signInWithPasskey(start: StartPasskey): Promise<string> {
  const [{ answerWithPasskey }, started] = await Promise.all([import('./passkey-ceremony.ts'), start({})]);
  if (!started.ok) return started.error.message;
  const answered = await answerWithPasskey(started.data);
  return answered.ok ? sendPasskeyAnswer(answered.response) : answered.message;
}

/** @returns the problem; empty: none */
export async function sendPasskeyAnswer(given: AuthenticationResponseJSON): Promise<string> {
  const response = JSON.stringify(given);
  const answer = await signIn(PASSKEY_PROVIDER_ID, { redirect: false, response });
  return answer?.ok && !answer.error ? '' : readSignInError(answer?.error);
}
