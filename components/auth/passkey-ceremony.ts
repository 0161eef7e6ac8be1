// The browser's WebAuthn calls. Loaded when a passkey is used or may be offered, not with the page.
import {
  type AuthenticationResponseJSON,
  browserSupportsWebAuthn,
  browserSupportsWebAuthnAutofill,
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  startAuthentication,
  startRegistration,
  WebAuthnAbortService,
} from '@simplewebauthn/browser';

export type Ceremony<Response> = { ok: true; response: Response } | { ok: false; message: string };

/** Signs a challenge with a passkey of this site. @returns the response, or why there is none */
export const answerWithPasskey = (optionsJSON: PublicKeyCredentialRequestOptionsJSON) =>
  perform(() => startAuthentication({ optionsJSON }));

/** Whether the browser can offer passkeys in autofill. */
export const canAutofill = (): Promise<boolean> => browserSupportsWebAuthnAutofill();

/** Waits until the user selects one there. @returns null when the browser or `stopWaiting` ended it */
export const answerByAutofill = (
  optionsJSON: PublicKeyCredentialRequestOptionsJSON,
): Promise<AuthenticationResponseJSON | null> =>
  startAuthentication({ optionsJSON, useBrowserAutofill: true }).catch(() => null);

export const stopWaiting = (): void => WebAuthnAbortService.cancelCeremony();

/** Creates a passkey. @returns the response, or why there is none */
export const makePasskey = (optionsJSON: PublicKeyCredentialCreationOptionsJSON) =>
  perform(() => startRegistration({ optionsJSON }));

async function perform<Response>(work: () => Promise<Response>): Promise<Ceremony<Response>> {
  if (!browserSupportsWebAuthn())
    return { ok: false, message: 'This browser has no passkeys, or this page was not opened over HTTPS.' };
  try {
    return { ok: true, response: await work() };
  } catch (error) {
    return { ok: false, message: describe(error) };
  }
}

/** By the name of the exception (Web Authentication Level 3, 5.1.3 and 5.1.4). */
function describe(error: unknown): string {
  const name = error instanceof Error ? error.name : '';
  if (name === 'InvalidStateError')
    return 'This device or password manager already has a passkey for your account.';
  if (name === 'SecurityError')
    return 'The address of this page is not the one that passkeys of this installation are for. Open Patchbay at its own address.';
  if (name === 'NotAllowedError' || name === 'AbortError')
    return 'No passkey was used: it was cancelled, took too long, or there is none on this device.';
  if (name === 'ConstraintError' || name === 'NotSupportedError')
    return 'This device cannot keep a passkey that asks for a PIN, fingerprint or face. Use another one.';
  return 'The browser could not use a passkey. Try again.';
}
