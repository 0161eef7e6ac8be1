import type {
  PublicKeyCredentialCreationOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/browser';
import type { ActionResult } from '#lib/identity/auth/action-types.ts';
import type { Proof } from '#lib/identity/passkeys/needed-proof.ts';

export interface PasskeyActions {
  start: (
    input: Proof & { name: string },
  ) => Promise<ActionResult<{ options: PublicKeyCredentialCreationOptionsJSON; sealed: string }>>;
  confirm: (input: {
    sealed: string;
    response: Pick<RegistrationResponseJSON, 'id' | 'rawId' | 'type' | 'response'>;
  }) => Promise<ActionResult<void>>;
}

/** Creates a passkey in this browser and adds it to the account. */
export async function addPasskey(
  { start, confirm }: PasskeyActions,
  input: Proof & { name: string },
): Promise<ActionResult<void>> {
  const [{ makePasskey }, started] = await Promise.all([
    import('#components/auth/passkey-ceremony.ts'),
    start(input),
  ]);
  if (!started.ok) return started;
  const made = await makePasskey(started.data.options);
  if (!made.ok) return { ok: false, error: { code: 'conflict', message: made.message, problems: [] } };
  const { id, rawId, type, response } = made.response;
  return confirm({ sealed: started.data.sealed, response: { id, rawId, type, response } });
}
