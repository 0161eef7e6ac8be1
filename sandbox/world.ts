import { EventEmitter } from 'node:events';
import { type CallLog, createCallLog, type Fault } from './calls/calls.ts';
import { changeSettings } from './change-settings.ts';
import { Clock, Timers } from './clock.ts';
import { ACCOUNTS, BUSINESSES, PHONES } from './data/businesses.ts';
import { seedTemplates } from './data/templates.ts';
import { createProviderKeys, type ProviderKeys } from './identity/provider-keys.ts';
import { TokenStore } from './identity/token-store.ts';
import type { Account, Business, Change, Media, Message, Phone, Subscription, Template } from './model.ts';
import type { ResolvedOptions } from './options.ts';
import { DEFAULT_SETTINGS, type Settings } from './settings.ts';

/** About a gigabyte; beyond that the oldest are removed, so that load tests can run for long. */
const MOST_MESSAGES = 100_000;

/** The outcome of one notification attempt, for the control API. */
export type NotificationAttempt = {
  subscription_id: string;
  callback_url: string;
  attempt: number;
  status: number | null;
  error: string | null;
  at: string;
  body: unknown;
};

/** The state of one running sandbox. Handlers get it, and there is no other state. */
export type World = {
  options: ResolvedOptions;
  /** Keys of the identity provider: signatures and cookies from before a restart stay valid. */
  keys: ProviderKeys;
  clock: Clock;
  timers: Timers;
  tokens: TokenStore;
  changes: EventEmitter;
  settings: Settings;
  businesses: Map<string, Business>;
  accounts: Map<string, Account>;
  phones: Map<string, Phone>;
  templates: Map<string, Template>;
  media: Map<string, Media>;
  /** Resumable uploads of sample files that are not complete, in bytes. */
  uploads: Map<string, { length: number; received: number }>;
  messages: Map<string, Message>;
  /** Messages of one chat, oldest first, under `chatKey`. */
  chats: Map<string, Message[]>;
  subscriptions: Map<string, Subscription>;
  /** Accounts that the app is subscribed to (`POST /{account}/subscribed_apps`). */
  subscribedAccounts: Set<string>;
  notifications: NotificationAttempt[];
  /** Changes that wait to be sent in one POST, by subscription id. */
  outbox: Map<string, Change[]>;
  /** Names of customers, where set. */
  customerNames: Map<string, string>;
  /** Customers whose number is hidden from businesses. */
  customersWithUsername: Set<string>;
  /** Chats whose customer stopped marketing, by `chatKey`. */
  marketingStopped: Set<string>;
  /** End of the typing indicator of chats, by `chatKey`. */
  typing: Map<string, number>;
  /** Instants of accepted messages of the last day, per phone and per unverified business. */
  sentToday: Map<string, number[]>;
  /** Customers that a business messaged first within the last day, with the time; by business id. */
  reachedCustomers: Map<string, Map<string, number>>;
  /** Instants of management calls of the last hour, by account. */
  managementCalls: Map<string, number[]>;
  buckets: Buckets;
  faults: Fault[];
  calls: CallLog;
};

/** A new sandbox with its demo data. */
export function createWorld(options: ResolvedOptions): World {
  const clock = new Clock();
  const changes = new EventEmitter();
  changes.setMaxListeners(0);
  const world = { options, clock, timers: new Timers(), tokens: new TokenStore(clock), changes } as World;
  world.keys = createProviderKeys();
  fillWorld(world);
  return world;
}

/** Resets everything to the demo data, except the subscriptions of SSE readers: tokens and the clock too. */
export function resetWorld(world: World): void {
  world.timers.clear();
  world.clock.offsetMs = 0;
  world.tokens.clear();
  fillWorld(world);
  world.changes.emit('change', null);
}

function fillWorld(world: World): void {
  const byId = <T extends { id: string }>(list: T[]) =>
    new Map(list.map((item) => [item.id, structuredClone(item)]));
  Object.assign(world, {
    settings: DEFAULT_SETTINGS,
    businesses: byId(BUSINESSES),
    accounts: byId(ACCOUNTS),
    phones: byId(PHONES),
    templates: byId(seedTemplates(world.clock.nowMs())),
    media: new Map(),
    uploads: new Map(),
    messages: new Map(),
    chats: new Map(),
    subscriptions: new Map(),
    subscribedAccounts: new Set(),
    notifications: [],
    outbox: new Map(),
    customerNames: new Map(),
    customersWithUsername: new Set(),
    marketingStopped: new Set(),
    typing: new Map(),
    sentToday: new Map(),
    reachedCustomers: new Map(),
    managementCalls: new Map(),
    buckets: new Buckets(),
    faults: [],
    calls: createCallLog(),
  } satisfies Omit<World, 'options' | 'keys' | 'clock' | 'timers' | 'tokens' | 'changes'>);
  changeSettings(world, world.options.settings);
}

/** The key of a chat: one business number and one customer. */
export function chatKey(phoneId: string, customer: string): string {
  return `${phoneId}/${customer}`;
}

function forgetOldest(world: World): void {
  const oldest = world.messages.values().next().value;
  if (!oldest) return;
  world.messages.delete(oldest.id);
  const key = chatKey(oldest.phoneId, oldest.customer);
  const rest = (world.chats.get(key) ?? []).filter((message) => message !== oldest);
  if (rest.length > 0) world.chats.set(key, rest);
  else world.chats.delete(key);
}

/** Adds a message to its chat and notifies the phone pages. */
export function addMessage(world: World, message: Message): void {
  if (world.messages.size >= MOST_MESSAGES) forgetOldest(world);
  world.messages.set(message.id, message);
  const key = chatKey(message.phoneId, message.customer);
  const chat = world.chats.get(key);
  if (chat) chat.push(message);
  else world.chats.set(key, [message]);
  world.changes.emit('change', message.customer);
}

/** The instant at which the 24-hour window of a chat closes, or null if the customer never wrote (spec, Rules 1). */
export function findWindowEnd(world: World, phoneId: string, customer: string): number | null {
  const last = world.chats.get(chatKey(phoneId, customer))?.findLast((message) => message.direction === 'in');
  return last ? last.acceptedAt + 24 * 3_600_000 : null;
}

/** The customer's profile name. */
export function customerName(world: World, customer: string): string {
  return world.customerNames.get(customer) ?? `Customer ${customer.slice(-4)}`;
}

/** A token bucket on an adjustable clock. `take` returns 0, or the seconds until a token is available. */
class Buckets {
  #levels = new Map<string, { tokens: number; atMs: number }>();

  /** Takes one token of `key`; nothing is taken when none is left. */
  take(key: string, capacity: number, refillPerSecond: number, nowMs: number): number {
    const level = this.#levels.get(key) ?? { tokens: capacity, atMs: nowMs };
    const refilled = level.tokens + (Math.max(0, nowMs - level.atMs) / 1000) * refillPerSecond;
    const tokens = Math.min(capacity, refilled);
    const enough = tokens >= 1;
    this.#levels.set(key, { tokens: enough ? tokens - 1 : tokens, atMs: nowMs });
    return enough ? 0 : (1 - tokens) / refillPerSecond;
  }
}
