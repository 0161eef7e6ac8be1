import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser';
import { useEffect, useEffectEvent } from 'react';
import type { ActionResult } from '#lib/identity/auth/action-types.ts';
import { PASSKEY_CHALLENGE_SECONDS, PASSKEY_PROVIDER_ID } from '#lib/identity/auth/provider-names.ts';
import { readSignInError, signIn } from './sign-in.ts';

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

const RENEW_MS = (PASSKEY_CHALLENGE_SECONDS - 60) * 1000;

export interface PasskeyAutofill {
  /** Null during another sign-in: the browser allows one request at a time. */
  start: StartPasskey | null;
  /** Called when the user selects a passkey. */
  onAnswer: (answer: AuthenticationResponseJSON) => void;
}

/** Lets the browser offer passkeys in autofill: in a field whose `autocomplete` ends with `webauthn`. */
export function usePasskeyAutofill({ start, onAnswer }: PasskeyAutofill): void {
  const isOn = start !== null;
  // Setting the challenge's cookie renders the page again, which must not request the next one.
  const startNow = useEffectEvent(async () => start?.({}));
  const answer = useEffectEvent(onAnswer);
  useEffect(() => {
    if (!isOn) return undefined;
    let isOver = false;
    let waiting = 0;
    let stopWaiting = () => {};
    const offer = async () => {
      if (isOver || document.hidden) return;
      const ceremony = await import('./passkey-ceremony.ts');
      if (!(await ceremony.canAutofill())) return;
      const started = await startNow();
      if (isOver || !started?.ok) return;
      stopWaiting = () => ceremony.stopWaiting();
      waiting += 1;
      const response = await ceremony.answerByAutofill(started.data);
      waiting -= 1;
      if (response && !isOver) answer(response);
    };
    // The user has not requested it, so that failures are not shown.
    const offerQuietly = () => void offer().catch(() => undefined);
    offerQuietly();
    const timer = setInterval(offerQuietly, RENEW_MS);
    document.addEventListener('visibilitychange', offerQuietly);
    return () => {
      isOver = true;
      clearInterval(timer);
      document.removeEventListener('visibilitychange', offerQuietly);
      if (waiting > 0) stopWaiting();
    };
  }, [isOn]);
}
