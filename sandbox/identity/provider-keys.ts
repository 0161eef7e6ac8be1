import { generateKeyPairSync, randomBytes } from 'node:crypto';

export type ProviderKeys = {
  /** A JWK with which ID tokens are signed. */
  signing: Record<string, unknown>;
  /** Signs the cookies of logins. */
  cookies: string;
};

export function createProviderKeys(): ProviderKeys {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  return {
    signing: { ...privateKey.export({ format: 'jwk' }), use: 'sig', alg: 'RS256', kid: 'sandbox' },
    cookies: randomBytes(32).toString('base64url'),
  };
}
