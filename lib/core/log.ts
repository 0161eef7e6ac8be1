import { pino } from 'pino';
import { env } from '#lib/core/env.ts';
import { traceIdOf } from '#lib/core/telemetry.ts';
import { summarizeOutages } from '#lib/core/summarize-outages.ts';

const SECRET_KEYS = [
  'authorization',
  'cookie',
  'access_token',
  'refresh_token',
  'client_secret',
  'token',
  'password',
  'code_verifier',
];

/** The log of this process: JSON lines on standard output; likely secrets are redacted by their key. */
export const logger = pino({
  level: env().LOG_LEVEL,
  /** The current trace. */
  mixin: () => traceIdOf(),
  hooks: { logMethod: summarizeOutages() },
  redact: {
    paths: SECRET_KEYS.flatMap((key) => [key, `*.${key}`, `*.*.${key}`]),
    censor: '[redacted]',
  },
});
