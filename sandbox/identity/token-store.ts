import type { Adapter, StoredPayload } from 'oidc-provider';
import type { Clock } from '../clock.ts';

type Entry = { payload: StoredPayload; offsetMsWhenStored: number };

/** All stored data, by model and id. */
export type StoredTokens = [key: string, entry: Entry][];

const INSTANT_FIELDS = ['exp', 'iat', 'iiat', 'loginTs', 'authTime'] as const;

/**
 * Storage of oidc-provider. It only uses real time, so that every instant is shifted by the changes of the sandbox's clock
 * since it was written: the age of a token follows the sandbox's clock.
 */
export class TokenStore {
  #entries = new Map<string, Entry>();
  #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  put(model: string, id: string, payload: StoredPayload): void {
    this.#entries.set(`${model}:${id}`, { payload, offsetMsWhenStored: this.#clock.offsetMs });
  }

  /** A copy of the payload for oidc-provider at this time. */
  get(model: string, id: string): StoredPayload | undefined {
    const entry = this.#entries.get(`${model}:${id}`);
    if (!entry) return undefined;
    const movedSeconds = Math.floor((this.#clock.offsetMs - entry.offsetMsWhenStored) / 1000);
    const copy = structuredClone(entry.payload);
    for (const field of INSTANT_FIELDS) {
      const instant = copy[field];
      if (typeof instant === 'number') copy[field] = instant - movedSeconds;
    }
    return copy;
  }

  findBy(model: string, field: 'uid' | 'userCode', value: string): StoredPayload | undefined {
    for (const [key, { payload }] of this.#entries) {
      if (key.startsWith(`${model}:`) && payload[field] === value)
        return this.get(model, key.slice(model.length + 1));
    }
    return undefined;
  }

  change(model: string, id: string, fields: Partial<StoredPayload>): boolean {
    const entry = this.#entries.get(`${model}:${id}`);
    if (entry) Object.assign(entry.payload, fields);
    return entry !== undefined;
  }

  remove(model: string, id: string): boolean {
    return this.#entries.delete(`${model}:${id}`);
  }

  /** Makes a token expire now (`realNowSeconds`: real time), whatever the clock says. */
  expire(model: string, id: string, realNowSeconds: number): boolean {
    const entry = this.#entries.get(`${model}:${id}`);
    if (!entry) return false;
    entry.payload.exp = realNowSeconds;
    entry.offsetMsWhenStored = this.#clock.offsetMs;
    return true;
  }

  /** Ids of everything of one model. */
  ids(model: string): string[] {
    return [...this.#entries.keys()]
      .filter((key) => key.startsWith(`${model}:`))
      .map((key) => key.slice(model.length + 1));
  }

  /** Removes everything issued for one grant: codes, access and refresh tokens. */
  removeGrant(grantId: string): void {
    for (const [key, { payload }] of this.#entries)
      if (payload.grantId === grantId) this.#entries.delete(key);
  }

  /** Entries that have not expired. */
  list(): StoredTokens {
    const realNowSeconds = Date.now() / 1000;
    return [...this.#entries].filter(([, { payload, offsetMsWhenStored }]) => {
      const movedSeconds = (this.#clock.offsetMs - offsetMsWhenStored) / 1000;
      return typeof payload.exp !== 'number' || payload.exp - movedSeconds > realNowSeconds;
    });
  }

  restore(tokens: StoredTokens): void {
    this.#entries = new Map(tokens);
  }

  clear(): void {
    this.#entries.clear();
  }

  /** The adapter for oidc-provider, one per model. */
  adapter(model: string): Adapter {
    return {
      upsert: async (id, payload) => this.put(model, id, payload),
      find: async (id) => this.get(model, id),
      findByUid: async (uid) => this.findBy(model, 'uid', uid),
      findByUserCode: async (userCode) => this.findBy(model, 'userCode', userCode),
      consume: async (id) => void this.change(model, id, { consumed: Math.floor(Date.now() / 1000) }),
      destroy: async (id) => void this.remove(model, id),
      revokeByGrantId: async (grantId) => this.removeGrant(grantId),
    };
  }
}
