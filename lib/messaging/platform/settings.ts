import type { IncomingHttpHeaders } from 'node:http';
import type { Settings } from '#lib/core/env.ts';
import { parseJson } from '#lib/core/json/parse-json.ts';
import { isJsonObject, type JsonValue } from '#lib/core/json/value.ts';
import { field, objectOf, objectsOf } from '#lib/messaging/platform-fields.ts';
import { toText } from '#lib/variables/to-text.ts';
import { Route } from './route.ts';

/** The platform's addresses and limits, from the app's settings (docs/reference/settings.md). */
export interface PlatformSettings {
  /** Base address of the graph API, without a version; undefined: not configured. */
  graphUrl: string | undefined;
  /** Such as `v18.0`, in the path of every call. */
  graphVersion: string;
  /** The availability of the graph API, as observed by this process. */
  graphRoute: Route;
  /** The used share of its limits, as observed by this process. */
  graphUsage: GraphUsage;
  /** The platform's name in `messaging_product` and in paths. */
  product: string;
  authorizeUrl: string | undefined;
  tokenUrl: string | undefined;
  /** Issuer of the identity login, which then includes it in each response (RFC 9207); undefined: none. */
  issuer: string | undefined;
  clientId: string | undefined;
  clientSecret: string | undefined;
  /** Signs notifications; defaults to the client secret, which on the real platform is the same. */
  appSecret: string | undefined;
  /** The login configuration, where the platform stores the scopes in the app. */
  loginConfigId: string | undefined;
  /** Scopes of the login; none with a login configuration. */
  scopes: string[];
  redirectUri: string;
  timeoutMs: number;
  limits: SendLimits;
}

/** The platform's rate limits; all processes together stay below them. */
export interface SendLimits {
  /** Rate of one number, over all customers. */
  messagesPerSecond: number;
  /** From one number to one customer: a burst … */
  pairBurst: number;
  /** … and then one message per this interval. */
  pairRefillSeconds: number;
}

/** Messages a second of a number whose throughput level is HIGH. */
const HIGH_PER_SECOND = 1000;

/**
 * The rate limits of a number by the throughput level that the platform returns for it; the setting counts where that is
 * STANDARD or unknown, and where it is higher.
 */
export const limitsAtLevel = (limits: SendLimits, level: string | null): SendLimits =>
  level === 'HIGH'
    ? { ...limits, messagesPerSecond: Math.max(limits.messagesPerSecond, HIGH_PER_SECOND) }
    : limits;

const wordsOf = (text: string): string[] => text.split(/\s+/).filter((word) => word !== '');

/** Read once in a process, which has one settings object. */
const known = new WeakMap<Settings, PlatformSettings>();

/** The platform's part of the app's settings. */
export function platformSettingsOf(settings: Settings): PlatformSettings {
  const platform = known.get(settings) ?? read(settings);
  known.set(settings, platform);
  return platform;
}

function read(settings: Settings): PlatformSettings {
  return {
    graphUrl: settings.MESSAGING_GRAPH_URL?.replace(/\/+$/, ''),
    graphVersion: settings.MESSAGING_GRAPH_VERSION,
    graphRoute: new Route(),
    graphUsage: new GraphUsage(),
    product: settings.MESSAGING_PRODUCT,
    authorizeUrl: settings.MESSAGING_AUTHORIZE_URL,
    tokenUrl: settings.MESSAGING_TOKEN_URL,
    issuer: settings.MESSAGING_ISSUER,
    clientId: settings.MESSAGING_CLIENT_ID,
    clientSecret: settings.MESSAGING_CLIENT_SECRET,
    appSecret: settings.MESSAGING_APP_SECRET ?? settings.MESSAGING_CLIENT_SECRET,
    loginConfigId: settings.MESSAGING_LOGIN_CONFIG_ID,
    scopes: settings.MESSAGING_LOGIN_CONFIG_ID === undefined ? wordsOf(settings.MESSAGING_SCOPES) : [],
    redirectUri: new URL(`${settings.BASE_URL}/oauth/callback`).href,
    timeoutMs: settings.MESSAGING_TIMEOUT_SECONDS * 1000,
    limits: {
      messagesPerSecond: settings.MESSAGING_MESSAGES_PER_SECOND,
      pairBurst: settings.MESSAGING_PAIR_BURST,
      pairRefillSeconds: settings.MESSAGING_PAIR_REFILL_SECONDS,
    },
  };
}

// The used share of the platform's rate limits, from its responses to this process. Background checks slow down accordingly;
// sends have their own limits and ignore it.

/** Share from which background checks are slowed down. */
const HIGH_PERCENT = 80;
/** The limits count the calls of one hour: older data is outdated. */
const KNOWN_MS = 3_600_000;
const MINUTE_MS = 60_000;

const number = field((value) => Number(toText(value)) || 0);
const shares = { call_count: number, total_time: number, total_cputime: number };
/** `X-App-Usage: {"call_count":28,"total_time":25,"total_cputime":25}`, in percent. */
const appSchema = objectOf(shares);
/** `X-Business-Use-Case-Usage: {"<account>":[{"type":…,"call_count":…,"estimated_time_to_regain_access":<minutes>}]}`. */
const accountSchema = objectsOf({ ...shares, estimated_time_to_regain_access: number });

interface Known {
  percent: number;
  at: number;
  /** No call is answered before this time; 0: calls are answered. */
  blockedUntil: number;
}

const APP = '';

export class GraphUsage {
  readonly #now: () => number;
  readonly #known = new Map<string, Known>();

  /** @param now in milliseconds */
  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  /** Reads the headers of a response; undocumented formats are ignored. */
  note(headers: IncomingHttpHeaders): void {
    const app = readHeader(headers['x-app-usage']);
    if (app) this.#set(APP, [appSchema.parse(app)]);
    const accounts = readHeader(headers['x-business-use-case-usage']);
    for (const [id, entries] of Object.entries(accounts ?? {})) this.#set(id, accountSchema.parse(entries));
  }

  /** The platform refused calls on these accounts because of their number, whatever its headers say. */
  block(accountIds: readonly string[], minutes: number): void {
    const at = this.#now();
    for (const id of accountIds) {
      const { percent = 100, blockedUntil = 0 } = this.#known.get(id) ?? {};
      const until = Math.max(blockedUntil, at + minutes * MINUTE_MS);
      this.#known.set(id, { percent, at, blockedUntil: until });
    }
  }

  /** Whether the app, or one of these accounts, has used up most of its calls. */
  isHigh(accountIds: readonly string[] = []): boolean {
    return this.#of(accountIds).some(({ percent }) => percent >= HIGH_PERCENT);
  }

  /** Minutes until the platform answers calls of all these accounts; 0: it does. The app's own limit does not report it. */
  blockedMinutes(accountIds: readonly string[]): number {
    const until = Math.max(0, ...this.#of(accountIds).map(({ blockedUntil }) => blockedUntil));
    return Math.max(0, Math.ceil((until - this.#now()) / MINUTE_MS));
  }

  #of(accountIds: readonly string[]): Known[] {
    const now = this.#now();
    return [APP, ...accountIds]
      .flatMap((id) => this.#known.get(id) ?? [])
      .filter(({ at, blockedUntil }) => now - at < KNOWN_MS || now < blockedUntil);
  }

  #set(id: string, entries: readonly (Shares & { estimated_time_to_regain_access?: number })[]): void {
    const at = this.#now();
    const percent = Math.max(
      0,
      ...entries.flatMap((each) => [each.call_count, each.total_time, each.total_cputime]),
    );
    const minutes = Math.max(0, ...entries.map((each) => each.estimated_time_to_regain_access ?? 0));
    this.#known.set(id, { percent, at, blockedUntil: minutes > 0 ? at + minutes * MINUTE_MS : 0 });
  }
}

type Shares = Record<keyof typeof shares, number>;

function readHeader(value: string | string[] | undefined): Record<string, JsonValue> | undefined {
  if (typeof value !== 'string') return undefined;
  try {
    const parsed = parseJson(value);
    return isJsonObject(parsed) ? parsed : undefined;
  } catch {
    return undefined;
  }
}
