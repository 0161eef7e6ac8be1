// Passwords are stored as scrypt hashes with their own salt and their parameters, so that these can be raised later.
import { randomBytes, scrypt } from 'node:crypto';
import { isSameSecret } from '#lib/core/crypto/token.ts';

/** OWASP's second choice for scrypt: 32 MB and three passes, about 0.2 s. */
const LOG2_N = 15;
const BLOCK_SIZE = 8;
const PASSES = 3;
const HASH_BYTES = 32;
const SALT_BYTES = 16;

/** `scrypt$<log2 N>$<r>$<p>$<salt>$<hash>`, base64url. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  const hash = await derive(password, salt, LOG2_N, BLOCK_SIZE, PASSES);
  return ['scrypt', LOG2_N, BLOCK_SIZE, PASSES, salt.toString('base64url'), hash.toString('base64url')].join(
    '$',
  );
}

/** A hash that no password matches: verified when there is no account, so that the response takes as long. */
const NOBODYS_HASH = ['scrypt', LOG2_N, BLOCK_SIZE, PASSES, 'AAAAAAAAAAAAAAAAAAAAAA', 'A'.repeat(43)].join(
  '$',
);

/** Whether a password matches a hash. @param stored null where there is no account or it has no password */
export async function verifyPassword(password: string, stored: string | null): Promise<boolean> {
  const [kind, log2N, blockSize, passes, salt, expected] = (stored ?? NOBODYS_HASH).split('$');
  if (kind !== 'scrypt' || !salt || !expected) return false;
  const hash = await derive(
    password,
    Buffer.from(salt, 'base64url'),
    Number(log2N),
    Number(blockSize),
    Number(passes),
  );
  return isSameSecret(hash, Buffer.from(expected, 'base64url')) && stored !== null;
}

/** A temporary password: 20 random characters, 120 bits. */
export const makePassword = (): string => randomBytes(15).toString('base64url');

/** Unicode-normalized first, because keyboards encode the same password differently. */
function derive(password: string, salt: Buffer, log2N: number, r: number, p: number): Promise<Buffer> {
  const N = 2 ** log2N;
  return new Promise((resolve, reject) => {
    scrypt(password.normalize('NFKC'), salt, HASH_BYTES, { N, r, p, maxmem: 256 * N * r }, (error, key) =>
      error ? reject(error) : resolve(key),
    );
  });
}
