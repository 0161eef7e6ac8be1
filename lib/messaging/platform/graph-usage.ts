// The used share of the platform's rate limits, from its responses to this process. Background checks slow down accordingly;
// sends have their own limits and ignore it.
import type { IncomingHttpHeaders } from 'node:http';
import { parseJson } from '#lib/core/json/parse-json.ts';
import { isJsonObject, type JsonValue } from '#lib/core/json/value.ts';
import { field, objectOf, objectsOf } from '#lib/messaging/platform-fields.ts';
import { toText } from '#lib/variables/to-text.ts';

/** From here on background checks are slowed down. */
const HIGH_PERCENT = 80;
/** The limits count the calls of one hour: what was said earlier says nothing any more. */
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
  /** No call is answered before; 0: calls are answered. */
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

  /** Reads the headers of an answer; what is not as documented counts as nothing. */
  note(headers: IncomingHttpHeaders): void {
    const app = readHeader(headers['x-app-usage']);
    if (app) this.#set(APP, [appSchema.parse(app)]);
    const accounts = readHeader(headers['x-business-use-case-usage']);
    for (const [id, entries] of Object.entries(accounts ?? {})) this.#set(id, accountSchema.parse(entries));
  }

  /** The platform refused calls on these accounts for their number, whether or not its headers said so. */
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
