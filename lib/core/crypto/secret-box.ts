// Secrets at rest: AES-256-GCM under keys that have names, so that they can be replaced one after the other.
import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto';

/** What a sealed text is bound to (workspace, purpose, record): it cannot be opened as anything else. */
export type Binding = readonly [workspaceId: string, purpose: string, recordId: string];

export interface SecretBox {
  /** `v1.<key id>.<nonce>.<ciphertext and tag>`, base64url. */
  seal(plaintext: string, binding: Binding): string;
  /** @throws Error when it was sealed for something else, was changed, or its key is unknown. */
  open(sealed: string, binding: Binding): string;
  /** Prefix of every text that is sealed under the first key. */
  readonly currentPrefix: string;
  /** Sealed again under the first key; unchanged when it already is. */
  rotate(sealed: string, binding: Binding): string;
  /**
   * 32 bytes: the same for the same text and binding while the first key stays the same. Without the key they reveal nothing
   * about the text.
   */
  digest(plaintext: string, binding: readonly [workspaceId: string, purpose: string]): Buffer;
}

const VERSION = 'v1';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const KEY_BYTES = 32;

/**
 * @param keys `ENCRYPTION_KEYS`: `k1:<32 bytes in base64>[,k0:…]`; the first encrypts, all decrypt.
 * @throws Error that says which key cannot be used and why.
 */
export function createSecretBox(keys: string): SecretBox {
  const byId = parseKeys(keys);
  const [[firstId, firstKey]] = [...byId] as [[string, Buffer]];
  const box: SecretBox = {
    currentPrefix: `${VERSION}.${firstId}.`,
    seal(plaintext, binding) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv('aes-256-gcm', firstKey, nonce).setAAD(associatedData(firstId, binding));
      const sealed = Buffer.concat([cipher.update(plaintext, 'utf8'), cipher.final(), cipher.getAuthTag()]);
      return [VERSION, firstId, nonce.toString('base64url'), sealed.toString('base64url')].join('.');
    },
    open(sealed, binding) {
      const { keyId, nonce, data } = readSealed(sealed);
      const key = byId.get(keyId);
      if (!key) throw new Error(`This was sealed under the key "${keyId}", which is not in ENCRYPTION_KEYS.`);
      const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES })
        .setAAD(associatedData(keyId, binding))
        .setAuthTag(data.subarray(-TAG_BYTES));
      return decipher.update(data.subarray(0, -TAG_BYTES), undefined, 'utf8') + decipher.final('utf8');
    },
    digest: (plaintext, binding) =>
      createHmac('sha256', createHmac('sha256', firstKey).update('digest').digest())
        .update(JSON.stringify([...binding, plaintext]))
        .digest(),
    rotate: (sealed, binding) =>
      readSealed(sealed).keyId === firstId ? sealed : box.seal(box.open(sealed, binding), binding),
  };
  return box;
}

/** As JSON, so that no two bindings give the same bytes. */
const associatedData = (keyId: string, binding: Binding): Buffer =>
  Buffer.from(JSON.stringify([VERSION, keyId, ...binding]));

function readSealed(sealed: string): { keyId: string; nonce: Buffer; data: Buffer } {
  const [version, keyId, nonceText, dataText, ...rest] = sealed.split('.');
  const nonce = Buffer.from(nonceText ?? '', 'base64url');
  const data = Buffer.from(dataText ?? '', 'base64url');
  const fits =
    version === VERSION &&
    keyId &&
    nonce.length === NONCE_BYTES &&
    data.length >= TAG_BYTES &&
    rest.length === 0;
  if (!fits) throw new Error('This is not a sealed text of version 1.');
  return { keyId, nonce, data };
}

function parseKeys(text: string): Map<string, Buffer> {
  const keys = new Map<string, Buffer>();
  text.split(',').forEach((entry, index) => {
    const match = /^\s*([A-Za-z0-9_-]{1,32}):([A-Za-z0-9+/_-]+={0,2})\s*$/.exec(entry);
    const [, id, encoded] = match ?? [];
    if (!id || !encoded)
      throw new Error(`ENCRYPTION_KEYS, entry ${index + 1}: write it as <name>:<32 bytes in base64>.`);
    const key = Buffer.from(encoded, 'base64');
    if (key.length !== KEY_BYTES)
      throw new Error(`ENCRYPTION_KEYS, key "${id}": it has ${key.length} bytes, not ${KEY_BYTES}.`);
    if (keys.has(id)) throw new Error(`ENCRYPTION_KEYS, key "${id}": the name is there twice.`);
    keys.set(id, key);
  });
  return keys;
}
