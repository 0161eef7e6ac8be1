import { isSameSecret } from '#lib/core/crypto/token.ts';
import type { CallerSettings } from './caller-settings.ts';

type Headers = Readonly<Record<string, string>>;

export type CredentialCheck = Extract<CallerSettings['caller_check'], 'bearer' | 'basic' | 'header'>;

export interface CredentialRule {
  /** The header whose value is the credential, in lower case: it is not stored with events. */
  header: string;
  /** The value of `WWW-Authenticate` (RFC 9110, 11.6.1); undefined where no scheme of HTTP is used. */
  challenge: (headers: Headers) => string | undefined;
  /** Returns why the request is refused; undefined when it is not. */
  verify: (headers: Headers) => string | undefined;
}

/** Creates the check of a plain credential (RFC 6750, RFC 7617, or a custom header). */
export function createCredentialCheck(
  check: CredentialCheck,
  { caller_name = '', caller_header = '', caller_secret }: CallerSettings & { caller_secret: string },
): CredentialRule {
  switch (check) {
    case 'bearer': {
      const token = caller_secret.replace(/^\s*Bearer\s+/i, '');
      return rule('authorization', bearerChallenge, BEARER_FIX, (value) => {
        const given = bearerToken(value);
        return given !== undefined && isSameSecret(given, token);
      });
    }
    case 'basic':
      return rule('authorization', basicChallenge, BASIC_FIX, (value) => {
        const given = /^Basic +([A-Za-z0-9+/=]+) *$/i.exec(value)?.[1];
        const pair = given === undefined ? undefined : Buffer.from(given, 'base64').toString();
        return pair !== undefined && isSameSecret(pair, `${caller_name}:${caller_secret}`);
      });
    case 'header':
      return rule(
        caller_header.toLowerCase(),
        () => undefined,
        'Send the secret of the trigger in it.',
        (value) => isSameSecret(value, caller_secret),
      );
  }
}

const BEARER_FIX = 'Send Authorization: Bearer with the token of the trigger.';
const BASIC_FIX = 'Send Authorization: Basic with the user name and password.';
const REALM = 'realm="Patchbay webhook"';

const bearerToken = (authorization: string | undefined): string | undefined =>
  /^Bearer +(\S+) *$/i.exec(authorization ?? '')?.[1];

/** RFC 6750, 3.1: without a token the challenge has no error code. */
const bearerChallenge = ({ authorization }: Headers): string =>
  bearerToken(authorization) === undefined
    ? `Bearer ${REALM}`
    : `Bearer ${REALM}, error="invalid_token", error_description="The token is not the one of the trigger"`;

/** RFC 7617, 2.1: user name and password are read as UTF-8. */
const basicChallenge = (): string => `Basic ${REALM}, charset="UTF-8"`;

function rule(
  header: string,
  challenge: CredentialRule['challenge'],
  fix: string,
  isRight: (value: string) => boolean,
): CredentialRule {
  return {
    header,
    challenge,
    verify(headers) {
      const value = headers[header];
      if (!value) return `The header ${header} is missing. ${fix}`;
      return isRight(value) ? undefined : `The header ${header} does not hold the expected value. ${fix}`;
    },
  };
}
