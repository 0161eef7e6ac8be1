// Signature schemes of services. Sources: GitHub "Validating webhook deliveries", Stripe "Verify webhook signatures
// manually", Shopify "Verify webhook deliveries", standardwebhooks.com "Signature scheme", Slack "Verifying requests from
// Slack".
import { createHmac, type Hmac } from 'node:crypto';
import { isSameSecret } from '#lib/core/crypto/token.ts';
import { type CallerSettings, DEFAULT_TOLERANCE_SECONDS } from './caller-settings.ts';

type Headers = Readonly<Record<string, string>>;
export type SignatureCheck = Extract<
  CallerSettings['caller_check'],
  'github' | 'stripe' | 'shopify' | 'standard_webhooks' | 'slack' | 'hmac'
>;

/** A request's signatures (one that matches is enough) and the signed text before the body. */
interface Claim {
  signatures: readonly string[];
  signedBefore?: string;
  /** In Unix seconds, unparsed. */
  timestamp?: string;
}

interface Scheme {
  /** The header with the signature, in lower case. */
  header: string;
  encoding: 'hex' | 'base64';
  algorithm: 'sha256' | 'sha512' | 'sha1';
  /** Undefined: not a secret of the scheme. */
  keyOf?: (secret: string) => Buffer | undefined;
  /** Undefined where the headers do not fit the scheme. @param value of the signature's header */
  read: (value: string, headers: Headers) => Claim | undefined;
}

const SHA256_HEX = { encoding: 'hex', algorithm: 'sha256' } as const;
const SHA256_BASE64 = { encoding: 'base64', algorithm: 'sha256' } as const;

const github: Scheme = {
  ...SHA256_HEX,
  header: 'x-hub-signature-256',
  read: (value) => after('sha256=', value),
};

const shopify: Scheme = {
  ...SHA256_BASE64,
  header: 'x-shopify-hmac-sha256',
  read: (value) => ({ signatures: [value.trim()] }),
};

const stripe: Scheme = {
  ...SHA256_HEX,
  header: 'stripe-signature',
  read(value) {
    const pairs = value.split(',').map((pair) => pair.trim().split('=', 2));
    const timestamp = pairs.find(([name]) => name === 't')?.[1];
    if (timestamp === undefined) return undefined;
    const signatures = pairs.flatMap(([name, text]) => (name === 'v1' && text ? [text] : []));
    return { signatures, timestamp, signedBefore: `${timestamp}.` };
  },
};

const standardWebhooks: Scheme = {
  ...SHA256_BASE64,
  header: 'webhook-signature',
  keyOf(secret) {
    const base64 = secret.trim().replace(/^whsec_/, '');
    return /^[\w+/-]+={0,2}$/.test(base64) ? Buffer.from(base64, 'base64') : undefined;
  },
  read(value, headers) {
    const { 'webhook-id': id, 'webhook-timestamp': timestamp } = headers;
    if (id === undefined || timestamp === undefined) return undefined;
    const signatures = value.split(/[\s]+/).flatMap((part) => after('v1,', part)?.signatures ?? []);
    return { signatures, timestamp, signedBefore: `${id}.${timestamp}.` };
  },
};

const slack: Scheme = {
  ...SHA256_HEX,
  header: 'x-slack-signature',
  read(value, { 'x-slack-request-timestamp': timestamp }) {
    const claim = after('v0=', value);
    return claim && timestamp !== undefined
      ? { ...claim, timestamp, signedBefore: `v0:${timestamp}:` }
      : undefined;
  },
};

function generic(settings: CallerSettings): Scheme {
  const timestampHeader = settings.timestamp_header?.toLowerCase();
  return {
    header: settings.caller_header?.toLowerCase() ?? '',
    encoding: settings.signature_encoding ?? 'hex',
    algorithm: settings.signature_algorithm ?? 'sha256',
    read(value, headers) {
      const claim = after(settings.signature_prefix ?? '', value);
      if (!claim || !timestampHeader) return claim;
      const timestamp = headers[timestampHeader];
      return timestamp === undefined ? undefined : { ...claim, timestamp, signedBefore: `${timestamp}.` };
    },
  };
}

const after = (prefix: string, value: string): Claim | undefined =>
  value.trim().startsWith(prefix) ? { signatures: [value.trim().slice(prefix.length)] } : undefined;

const PRESETS = { github, shopify, stripe, standard_webhooks: standardWebhooks, slack } as const;

/** A signature while its body is being hashed. */
interface OpenSignature {
  hmac: Hmac;
  /** Returns why the signature is not accepted, after `hmac` was updated with the body; undefined when it is. */
  conclude: () => string | undefined;
}

/** Both return why the signature of a request is not accepted; undefined when it is. */
export interface VerifySignature {
  verify: (headers: Headers, bytes: Uint8Array, now: Date) => string | undefined;
  /** For a body that is not completely in memory. */
  verifyChunks: (
    headers: Headers,
    chunks: AsyncIterable<Uint8Array>,
    now: Date,
  ) => Promise<string | undefined>;
}

/**
 * Creates the check of a signature over the unparsed body.
 * @param settings of the trigger, with the decrypted secret
 */
export function createSignatureCheck(
  check: SignatureCheck,
  settings: CallerSettings & { caller_secret: string },
): VerifySignature {
  const scheme = check === 'hmac' ? generic(settings) : PRESETS[check];
  const key = scheme.keyOf ? scheme.keyOf(settings.caller_secret) : settings.caller_secret;
  const tolerance = settings.timestamp_tolerance_seconds ?? DEFAULT_TOLERANCE_SECONDS;
  const open = (headers: Headers, now: Date): OpenSignature | string => {
    const value = headers[scheme.header];
    if (!value) return `The header ${scheme.header} is missing: sign the request with the trigger's secret.`;
    const claim = scheme.read(value, headers);
    if (!claim || claim.signatures.length === 0)
      return `The header ${scheme.header}, or what it is sent with, does not have the form that the trigger expects.`;
    const late = claim.timestamp === undefined ? undefined : checkTimestamp(claim.timestamp, tolerance, now);
    if (late) return late;
    if (key === undefined)
      return 'The secret of the trigger is not one of this kind of signature: Standard Webhooks has Base64, usually after whsec_.';
    const hmac = createHmac(scheme.algorithm, key);
    if (claim.signedBefore !== undefined) hmac.update(claim.signedBefore);
    return {
      hmac,
      conclude() {
        const expected = hmac.digest(scheme.encoding);
        const isMatch = claim.signatures.some((signature) =>
          isSameSecret(scheme.encoding === 'hex' ? signature.toLowerCase() : signature, expected),
        );
        return isMatch
          ? undefined
          : `The signature in ${scheme.header} does not match the body and the trigger's secret.`;
      },
    };
  };
  return {
    verify(headers, bytes, now) {
      const opened = open(headers, now);
      if (typeof opened === 'string') return opened;
      opened.hmac.update(bytes);
      return opened.conclude();
    },
    async verifyChunks(headers, chunks, now) {
      const opened = open(headers, now);
      if (typeof opened === 'string') return opened;
      for await (const chunk of chunks) opened.hmac.update(chunk);
      return opened.conclude();
    },
  };
}

function checkTimestamp(text: string, toleranceSeconds: number, now: Date): string | undefined {
  if (!/^\d{1,12}$/.test(text)) return 'The signed timestamp is not a number of seconds.';
  const seconds = Math.round(now.getTime() / 1000 - Number(text));
  if (Math.abs(seconds) <= toleranceSeconds) return undefined;
  const where = seconds > 0 ? 'old' : 'in the future';
  return `The signed timestamp is ${Math.abs(seconds)} seconds ${where}: at most ${toleranceSeconds} are accepted. Check the caller's clock.`;
}
