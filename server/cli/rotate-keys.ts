import { createSecretBox } from '#lib/core/crypto/secret-box.ts';
import { rotateStoredSecrets } from '#lib/workflows/rotate-stored-secrets.ts';
import { encryptionKeysOf, withDatabase } from './installation.ts';
import type { Output } from './output.ts';

/** `patchbay rotate-keys`: afterwards the first key of `ENCRYPTION_KEYS` decrypts everything, and the others can be removed. */
export async function rotateKeys(output: Output): Promise<void> {
  const rotated = await withDatabase({ say: output.say }, (db, { settings }) =>
    rotateStoredSecrets(
      db.$client,
      createSecretBox(encryptionKeysOf(settings)),
      ({ column, rotated: count }) => output.say(`${column}: ${count}`),
    ),
  );
  const total = rotated.reduce((sum, { rotated: count }) => sum + count, 0);
  output.give({ total, columns: rotated }, [
    `${total} ${total === 1 ? 'secret was' : 'secrets were'} encrypted again. Everything that is stored opens with the first key of ENCRYPTION_KEYS.`,
  ]);
}
