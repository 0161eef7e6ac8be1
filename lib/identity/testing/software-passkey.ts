// An authenticator for tests: creates passkeys and signs with them like a real device (Web Authentication Level 3, 6.1 and
// 6.5), and sends false data where a test requests it.
import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';

const USER_PRESENT = 0x01;
const USER_VERIFIED = 0x04;
const HAS_CREDENTIAL = 0x40;

export interface Lie {
  origin?: string;
  rpId?: string;
  challenge?: string;
  verifiesUser?: boolean;
  /** The data that it claims to have signed. */
  counter?: number;
  userHandle?: string;
}

interface Creation {
  challenge: string;
  rp: { id?: string };
  user: { id: string };
}

export class SoftwarePasskey {
  readonly #keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  readonly #id = randomBytes(32);
  readonly #origin: string;
  #rpId = '';
  #userHandle = '';
  #counter = 0;

  /** @param origin of the page that it is used on */
  constructor(origin: string) {
    this.#origin = origin;
  }

  /** Answers the options of adding a passkey. */
  create({ challenge, rp, user }: Creation, lie: Lie = {}) {
    this.#rpId = rp.id ?? '';
    this.#userHandle = user.id;
    const credential = Buffer.concat([
      Buffer.alloc(16),
      bigEndian(this.#id.length, 2),
      this.#id,
      this.#publicKey(),
    ]);
    const data = Buffer.concat([this.#authenticatorData(HAS_CREDENTIAL, lie), credential]);
    const attestationObject = Buffer.concat([
      Buffer.from('a363666d74646e6f6e656761747453746d74a0686175746844617461', 'hex'),
      Buffer.from([0x59]),
      bigEndian(data.length, 2),
      data,
    ]);
    return {
      ...this.#credential(),
      response: {
        clientDataJSON: this.#clientData('webauthn.create', challenge, lie).toString('base64url'),
        attestationObject: attestationObject.toString('base64url'),
      },
    };
  }

  /** Answers the options of signing in. */
  answer({ challenge }: { challenge: string }, lie: Lie = {}) {
    this.#counter += 1;
    const authenticatorData = this.#authenticatorData(0, lie);
    const clientData = this.#clientData('webauthn.get', challenge, lie);
    const signed = Buffer.concat([authenticatorData, createHash('sha256').update(clientData).digest()]);
    return JSON.stringify({
      ...this.#credential(),
      clientExtensionResults: {},
      response: {
        clientDataJSON: clientData.toString('base64url'),
        authenticatorData: authenticatorData.toString('base64url'),
        signature: sign('sha256', signed, this.#keys.privateKey).toString('base64url'),
        userHandle: lie.userHandle ?? this.#userHandle,
      },
    });
  }

  #credential() {
    const id = this.#id.toString('base64url');
    return { id, rawId: id, type: 'public-key' as const };
  }

  #clientData(type: string, challenge: string, lie: Lie): Buffer {
    const { origin = this.#origin, challenge: told = challenge } = lie;
    return Buffer.from(JSON.stringify({ type, challenge: told, origin, crossOrigin: false }));
  }

  #authenticatorData(
    flags: number,
    { rpId = this.#rpId, verifiesUser = true, counter = this.#counter }: Lie,
  ): Buffer {
    const all = flags | USER_PRESENT | (verifiesUser ? USER_VERIFIED : 0);
    return Buffer.concat([
      createHash('sha256').update(rpId).digest(),
      Buffer.from([all]),
      bigEndian(counter, 4),
    ]);
  }

  /** In the form of COSE (RFC 9053, 7.1.1), in CBOR. */
  #publicKey(): Buffer {
    const { x = '', y = '' } = this.#keys.publicKey.export({ format: 'jwk' });
    const coordinate = (label: number, value: string) =>
      Buffer.concat([Buffer.from([label, 0x58, 0x20]), Buffer.from(value, 'base64url')]);
    return Buffer.concat([Buffer.from('a5010203262001', 'hex'), coordinate(0x21, x), coordinate(0x22, y)]);
  }
}

function bigEndian(value: number, bytes: number): Buffer {
  const buffer = Buffer.alloc(bytes);
  buffer.writeUIntBE(value, 0, bytes);
  return buffer;
}
