import type { AuthenticationResponseJSON } from '@simplewebauthn/browser';
import { useEffect, useEffectEvent } from 'react';
import { PASSKEY_CHALLENGE_SECONDS } from '#lib/identity/auth/passkey-names.ts';
import type { StartPasskey } from './sign-in-with-passkey.ts';

const RENEW_MS = (PASSKEY_CHALLENGE_SECONDS - 60) * 1000;

export interface PasskeyAutofill {
  /** Null while somebody signs in otherwise: the browser does one request at a time. */
  start: StartPasskey | null;
  /** Somebody has chosen a passkey. */
  onAnswer: (answer: AuthenticationResponseJSON) => void;
}

/** Lets the browser offer passkeys where it offers passwords: in a field whose `autocomplete` ends with `webauthn`. */
export function usePasskeyAutofill({ start, onAnswer }: PasskeyAutofill): void {
  const isOn = start !== null;
  // The page is rendered again with each challenge, as it comes with a cookie; that must not ask for the next one.
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
    // Nobody asked for it, so nobody is told that it does not work.
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
