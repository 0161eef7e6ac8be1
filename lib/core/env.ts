// The only reader of process.env: every setting of the product, parsed once (documented in the README).
import * as z from 'zod';
import { localUrl } from '#lib/core/http/listen-hosts.ts';

const megabytes = (value: number): number => value * 1024 * 1024;
const flag = z.enum(['on', 'off']);

const settingsSchema = z.object({
  DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/ }),
  BASE_URL: z.url({ protocol: /^https?$/ }).optional(),
  /** Where the app listens: loopback when it is not set. */
  HOST: z.string().optional(),
  PORT: z.coerce.number().int().min(0).max(65_535).default(3000),
  /** Which door answers webhooks: the one on plain Node http, or Next's route handlers. */
  WEBHOOK_DOOR: z.enum(['node', 'next']).default('node'),
  /** Runs are executed in memory before their webhook is committed, as far as that goes without waiting. */
  FIRST_LEG: flag.default('on'),
  /** A proxy in front says where requests come from; without one, callers could say it of themselves. */
  TRUST_PROXY: flag.default('off'),
  /** Several web processes on one port (Linux). */
  REUSE_PORT: flag.default('off'),
  PATCHBAY_ENV: z.enum(['production', 'development', 'test']).default('development'),
  PATCHBAY_API_KEY: z.string().min(32, 'must have at least 32 characters').optional(),
  AUTH_SECRET: z.string().min(32).optional(),
  ENCRYPTION_KEYS: z.string().optional(),
  MAX_BODY_BYTES: z.coerce.number().int().positive().default(megabytes(10)),
  MAX_BYTES_IN_FLIGHT: z.coerce.number().int().positive().default(megabytes(256)),
  WEBHOOK_RATE_PER_SECOND: z.coerce.number().int().min(0).default(0),
  ANSWER_TIMEOUT_SECONDS: z.coerce.number().positive().default(30),
  WORKER_CONCURRENCY: z.coerce.number().int().positive().default(2000),
  ALLOWED_PRIVATE_HOSTS: z.string().default(''),
  LOG_LEVEL: z.enum(['silent', 'fatal', 'error', 'warn', 'info', 'debug', 'trace']).default('info'),
  MESSAGING_GRAPH_URL: z.url().optional(),
  MESSAGING_PRODUCT: z.string().default('whatsapp'),
  MESSAGING_AUTHORIZE_URL: z.url().optional(),
  MESSAGING_TOKEN_URL: z.url().optional(),
  MESSAGING_ISSUER: z.url().optional(),
  MESSAGING_CLIENT_ID: z.string().optional(),
  MESSAGING_CLIENT_SECRET: z.string().optional(),
  MESSAGING_APP_SECRET: z.string().optional(),
  MESSAGING_SCOPES: z.string().default('chat_business_management chat_business_messaging'),
  MESSAGING_TIMEOUT_SECONDS: z.coerce.number().positive().max(300).default(30),
  /** Of one number over all customers; then from one number to one customer: so many at once, one more in each time. */
  MESSAGING_MESSAGES_PER_SECOND: z.coerce.number().positive().max(1000).default(80),
  MESSAGING_PAIR_BURST: z.coerce.number().int().positive().default(45),
  MESSAGING_PAIR_REFILL_SECONDS: z.coerce.number().positive().default(6),
  SANDBOX: flag.optional(),
  SANDBOX_PORT: z.coerce.number().int().min(0).max(65_535).default(4010),
  AUTH_OIDC_ISSUER: z.url().optional(),
  AUTH_OIDC_CLIENT_ID: z.string().optional(),
  AUTH_OIDC_CLIENT_SECRET: z.string().optional(),
  AUTH_OIDC_NAME: z.string().default('your identity provider'),
});

export type Settings = z.infer<typeof settingsSchema> & { BASE_URL: string };

/**
 * Parses settings from environment variables; an empty string counts as absent.
 * @throws Error that names every wrong setting and what is wrong with it.
 */
export function parseSettings(source: Record<string, string | undefined>): Settings {
  const given = Object.fromEntries(Object.entries(source).filter(([, value]) => value !== ''));
  const result = settingsSchema.safeParse(given);
  if (!result.success) {
    const problems = result.error.issues.map((issue) => `  ${issue.path.join('.')}: ${issue.message}`);
    throw new Error(`These settings cannot be used:\n${problems.join('\n')}`);
  }
  const settings = result.data;
  return {
    ...settings,
    BASE_URL: (settings.BASE_URL ?? localUrl(settings.HOST, settings.PORT)).replace(/\/+$/, ''),
  };
}

let parsed: Settings | undefined;

/** The settings of this process. */
export function env(): Settings {
  parsed ??= parseSettings(process.env);
  return parsed;
}
