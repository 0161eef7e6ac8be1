import type { AuthenticationResponseJSON } from '@simplewebauthn/browser';
import { useEffect, useEffectEvent } from 'react';
import { PASSKEY_CHALLENGE_SECONDS } from '#lib/identity/auth/passkey-names.ts';
import type { StartPasskey } from './sign-in-with-passkey.ts';

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
