// The only reader of process.env: every setting of the product, parsed once (described in docs/site/setting-texts.ts).
import * as z from 'zod';
import { localUrl } from '#lib/core/http/listen-hosts.ts';
import {
  type Environment,
  findContradictions,
  findFolderProblems,
  findMisspelled,
  readSettingFiles,
  type SettingProblem,
  SettingsError,
} from './settings/checks.ts';
import { checkTraceSettings, traceSettingsShape } from '#lib/core/trace-settings.ts';

const megabytes = (value: number): number => value * 1024 * 1024;
const flag = z.enum(['on', 'off']);

export const settingsSchema = z
  .object({
    DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/ }),
    BASE_URL: z.url({ protocol: /^https?$/ }).optional(),
    /** Address to listen on; default: loopback. */
    HOST: z.string().optional(),
    PORT: z.coerce.number().int().min(0).max(65_535).default(3000),
    /** What answers webhooks: plain Node http, or Next's route handlers. */
    WEBHOOK_DOOR: z.enum(['node', 'next']).default('node'),
    /** Runs are executed in memory before their webhook is committed, up to their first wait. */
    FIRST_LEG: flag.default('on'),
    /** How long without a worker before web processes send alerts; longer than a worker takes to restart. */
    MISSING_WORKER_SECONDS: z.coerce.number().positive().default(60),
    /**
     * Trusted proxies in front, which report the caller's address (`on`: one). Without one the header is ignored: callers
     * could forge it.
     */
    TRUST_PROXY: z
      .union([flag, z.string().regex(/^[1-9]$/)], {
        error: 'must be on, off, or how many proxies are in front',
      })
      .default('off'),
    /** Several web processes on one port (Linux). */
    REUSE_PORT: flag.default('off'),
    PATCHBAY_ENV: z.enum(['production', 'development', 'test']).default('development'),
    PATCHBAY_API_KEY: z.string().min(32, 'must have at least 32 characters').optional(),
    AUTH_SECRET: z.string().min(32).optional(),
    ENCRYPTION_KEYS: z.string().optional(),
    MAX_BODY_BYTES: z.coerce.number().int().positive().default(megabytes(10)),
    /** Maximum size of a form with its files, for triggers that store files. */
    MAX_UPLOAD_BYTES: z.coerce.number().int().positive().default(megabytes(25)),
    MAX_BYTES_IN_FLIGHT: z.coerce.number().int().positive().default(megabytes(256)),
    WEBHOOK_RATE_PER_SECOND: z.coerce.number().int().min(0).default(0),
    ANSWER_TIMEOUT_SECONDS: z.coerce.number().positive().default(30),
    WORKER_CONCURRENCY: z.coerce.number().int().positive().default(2000),
    ALLOWED_PRIVATE_HOSTS: z.string().default(''),
    /** Port of this process's `/metrics` for Prometheus; unset: none. */
    METRICS_PORT: z.coerce.number().int().min(1).max(65_535).optional(),
    METRICS_HOST: z.string().default('127.0.0.1'),
    ...traceSettingsShape,
    LOG_LEVEL: z.enum(['silent', 'fatal', 'error', 'warn', 'info', 'debug', 'trace']).default('info'),
    /** Format of the launcher's output; web and worker processes write JSON. */
    LOG_FORMAT: z.enum(['text', 'json']).default('text'),
    MESSAGING_GRAPH_URL: z.url().optional(),
    /** Part of the path of every call (spec, Versioning 1). */
    MESSAGING_GRAPH_VERSION: z
      .string()
      .regex(/^v\d{1,3}\.\d{1,2}$/, 'must be like v24.0')
      .default('v18.0'),
    MESSAGING_PRODUCT: z.string().default('whatsapp'),
    MESSAGING_AUTHORIZE_URL: z.url().optional(),
    MESSAGING_TOKEN_URL: z.url().optional(),
    MESSAGING_ISSUER: z.url().optional(),
    MESSAGING_CLIENT_ID: z.string().optional(),
    MESSAGING_CLIENT_SECRET: z.string().optional(),
    MESSAGING_APP_SECRET: z.string().optional(),
    MESSAGING_LOGIN_CONFIG_ID: z.string().optional(),
    MESSAGING_SCOPES: z.string().default('chat_business_management chat_business_messaging'),
    MESSAGING_TIMEOUT_SECONDS: z.coerce.number().positive().max(300).default(30),
    /**
     * Rate of one number over all customers; then, from one number to one customer, a burst and the interval of further
     * messages.
     */
    MESSAGING_MESSAGES_PER_SECOND: z.coerce.number().positive().max(1000).default(80),
    MESSAGING_PAIR_BURST: z.coerce.number().int().positive().default(45),
    MESSAGING_PAIR_REFILL_SECONDS: z.coerce.number().positive().default(6),
    /** Where files from customers are stored: a folder, or S3-compatible storage. */
    MEDIA_STORE: z.enum(['folder', 's3']).default('folder'),
    /** `media` in the data folder when it is not set. */
    MEDIA_FOLDER: z.string().optional(),
    PATCHBAY_DATA_DIR: z.string().default('.data'),
    MEDIA_RETENTION_DAYS: z.coerce.number().positive().default(30),
    /** Links that S3 signs are valid for a week at most. */
    MEDIA_LINK_DAYS: z.coerce.number().positive().max(7).default(7),
    MEDIA_S3_ENDPOINT: z.url({ protocol: /^https?$/ }).optional(),
    MEDIA_S3_REGION: z.string().default('us-east-1'),
    MEDIA_S3_BUCKET: z.string().optional(),
    MEDIA_S3_ACCESS_KEY_ID: z.string().optional(),
    MEDIA_S3_SECRET_ACCESS_KEY: z.string().optional(),
    SANDBOX: flag.optional(),
    /** Public URL of the sandbox's phones. The launcher sets it for web and worker while the sandbox runs. */
    SANDBOX_PUBLIC_URL: z.url({ protocol: /^https?$/ }).optional(),
    SANDBOX_PORT: z.coerce.number().int().min(0).max(65_535).default(4010),
    AUTH_OIDC_ISSUER: z.url().optional(),
    AUTH_OIDC_CLIENT_ID: z.string().optional(),
    AUTH_OIDC_CLIENT_SECRET: z.string().optional(),
    AUTH_OIDC_NAME: z.string().default('your identity provider'),
    AUTH_OIDC_SCOPES: z.string().default('openid email profile'),
    /** The claim with a user's groups; for a nested one its path, such as `realm_access.roles`. */
    AUTH_OIDC_GROUPS_CLAIM: z.string().default('groups'),
    /** Length of a session before the identity provider is asked again. */
    AUTH_OIDC_SESSION_HOURS: z.coerce.number().positive().max(720).default(24),
    /** SMTP server, with user name and password; unset: no mail is sent. */
    SMTP_URL: z
      .url({ protocol: /^smtps?$/, error: 'must be like smtp://user:password@mail.example.com:587' })
      .optional(),
    /** The sender of mail: an address, with a name or without. */
    MAIL_FROM: z.string().optional(),
  })
  .check(({ value, issues }) =>
    checkTraceSettings(value, (name, message) =>
      issues.push({ code: 'custom', path: [name], message, input: '' }),
    ),
  );

export type Settings = z.infer<typeof settingsSchema> & { BASE_URL: string };

/** Settings that only the launcher, the sandbox, the command line or the tests read. */
const OTHER_SETTINGS = [
  'WEB_PROCESSES',
  'WORKER_PROCESSES',
  'SANDBOX_HOST',
  'PATCHBAY_URL',
  'TEST_DATABASE_URL',
  'TEST_POSTGRES',
  'TEST_PARTITIONED',
  'PLAYWRIGHT_CHROMIUM_PATH',
];

const SETTING_NAMES = [...Object.keys(settingsSchema.shape), ...OTHER_SETTINGS];

/**
 * Parses settings from environment variables; an empty string counts as unset.
 * @param more further problems, so that all are in one list
 * @throws SettingsError
 */
export function parseSettings(source: Environment, more: readonly SettingProblem[] = []): Settings {
  const given = Object.fromEntries(Object.entries(source).filter(([, value]) => value !== ''));
  const result = settingsSchema.safeParse(given);
  const problems = [
    ...more,
    ...(result.error?.issues ?? []).map(({ path, message }) => ({ name: path.join('.'), message })),
    ...findContradictions(given),
    ...findMisspelled(given, SETTING_NAMES),
  ];
  if (!result.success || problems.length > 0) throw new SettingsError(problems);
  const settings = result.data;
  return {
    ...settings,
    BASE_URL: (settings.BASE_URL ?? localUrl(settings.HOST, settings.PORT)).replace(/\/+$/, ''),
  };
}

/**
 * Reads settings from files: `AUTH_SECRET_FILE` names one that holds `AUTH_SECRET`.
 * @param environment receives the settings
 * @returns problems, for `parseSettings`
 */
export const takeSettingFiles = (environment: Environment): SettingProblem[] =>
  readSettingFiles(environment, SETTING_NAMES);

let parsed: Settings | undefined;

/** The settings of this process. */
export function env(): Settings {
  parsed ??= parseSettings(process.env, [
    ...takeSettingFiles(process.env),
    ...findFolderProblems(process.env, process.cwd()),
  ]);
  return parsed;
}

/**
 * Whether Next compiles pages on demand. The launcher sets it when started with `--dev` (`npm run dev`). It is no setting,
 * because builds must not read it from the environment.
 */
export const isDevelopment = process.env.NODE_ENV === 'development';
