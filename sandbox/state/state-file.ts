// The sandbox's state on disk: one JSON file that is replaced atomically, and a file for each picture or document.
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { changeSettings } from '../change-settings.ts';
import { scheduleReview } from '../delivery/review.ts';
import { followStatuses } from '../delivery/statuses.ts';
import type { StoredTokens } from '../identity/token-store.ts';
import type { Account, Media, Message, Phone, Subscription, Template } from '../model.ts';
import type { Settings } from '../settings.ts';
import { addMessage, type World } from '../world.ts';

const QUIET_MS = 250;
/** Maximum share of time for writing, whatever the amount. */
const SHARE = 1 / 20;

export type StateFile = {
  /** Schedules writing a change. */
  touch(): void;
  /** Writes pending changes. */
  close(): Promise<void>;
};

/** Restores a world from a folder, and stores it there from now on. Unreadable data is ignored. */
export function openStateFile(world: World, folder: string): StateFile {
  const mediaFolder = join(folder, 'media');
  mkdirSync(mediaFolder, { recursive: true, mode: 0o700 });
  restore(world, folder);
  let timer: NodeJS.Timeout | undefined;
  let pauseMs = QUIET_MS;
  let isClosed = false;
  let writing = Promise.resolve();
  const write = async (): Promise<void> => {
    const startedAt = performance.now();
    await writeMedia(world, mediaFolder);
    const path = join(folder, 'state.json');
    await writeFile(`${path}.new`, JSON.stringify(takeSnapshot(world)), { mode: 0o600 });
    await rename(`${path}.new`, path);
    pauseMs = Math.max(QUIET_MS, (performance.now() - startedAt) / SHARE);
  };
  const flush = (): void => {
    timer = undefined;
    writing = writing.then(write).catch((error: unknown) => {
      console.error(
        `The sandbox could not save its state: ${error instanceof Error ? error.message : String(error)}`,
      );
    });
  };
  return {
    touch() {
      if (!isClosed) timer ??= setTimeout(flush, pauseMs);
    },
    async close() {
      isClosed = true;
      clearTimeout(timer);
      flush();
      await writing;
    },
  };
}

function restore(world: World, folder: string): void {
  let text: string;
  try {
    text = readFileSync(join(folder, 'state.json'), 'utf8');
  } catch {
    return;
  }
  try {
    const snapshot: unknown = JSON.parse(text);
    if (!isSnapshot(snapshot)) return;
    const media = snapshot.media.flatMap((each): Media[] => {
      try {
        return [{ ...each, bytes: readFileSync(join(folder, 'media', each.id)) }];
      } catch {
        return [];
      }
    });
    restoreSnapshot(world, snapshot, media);
  } catch (error) {
    console.error(`The sandbox starts with its demo data: its state cannot be read (${String(error)}).`);
  }
}

/** Bytes never change: existing files are not written again. */
async function writeMedia(world: World, folder: string): Promise<void> {
  const there = new Set(readdirSync(folder));
  for (const { id, bytes } of world.media.values())
    if (!there.delete(id)) await writeFile(join(folder, id), bytes, { mode: 0o600 });
  for (const gone of there) await rm(join(folder, gone), { force: true });
}

// The persistent part of a world, without test data (faults, calls) and rates.

/** Enough for the phones' pages; writing all messages of a load test would slow it down. */
const MOST_MESSAGES = 2000;

/** Increased when older snapshots cannot be read any more: then the sandbox starts with its demo data. */
const FORMAT = 1;

/** Defaults for fields that subscriptions in older snapshots do not have. */
const OVERRIDE_OF_BEFORE = { source: 'override', fields: null } as const;

export type StoredMedia = Omit<Media, 'bytes'>;

export type Snapshot = {
  format: number;
  clockOffsetMs: number;
  settings: Settings;
  keys: World['keys'];
  tokens: StoredTokens;
  phones: Phone[];
  templates: Template[];
  messages: Message[];
  media: StoredMedia[];
  subscriptions: Subscription[];
  customerNames: [string, string][];
  customersWithUsername: string[];
  /** The following are missing in older snapshots. */
  marketingStopped?: string[];
  accounts?: Account[];
  subscribedAccounts?: string[];
};

/** A world as JSON; the bytes of media are in separate files. */
function takeSnapshot(world: World): Snapshot {
  return {
    format: FORMAT,
    clockOffsetMs: world.clock.offsetMs,
    settings: world.settings,
    keys: world.keys,
    tokens: world.tokens.list(),
    phones: [...world.phones.values()],
    templates: [...world.templates.values()],
    messages: [...world.messages.values()].slice(-MOST_MESSAGES),
    media: [...world.media.values()].map(({ bytes: _bytes, ...media }) => media),
    subscriptions: [...world.subscriptions.values()],
    customerNames: [...world.customerNames],
    customersWithUsername: [...world.customersWithUsername],
    marketingStopped: [...world.marketingStopped],
    accounts: [...world.accounts.values()],
    subscribedAccounts: [...world.subscribedAccounts],
  };
}

/** Restores a snapshot into a new world, and resumes work in progress. @param media with their bytes, as far as available */
function restoreSnapshot(world: World, snapshot: Snapshot, media: readonly Media[]): void {
  world.clock.offsetMs = snapshot.clockOffsetMs;
  world.keys = snapshot.keys;
  world.tokens.restore(snapshot.tokens);
  for (const phone of snapshot.phones)
    world.phones.set(phone.id, { ...world.phones.get(phone.id), ...phone });
  for (const account of snapshot.accounts ?? [])
    world.accounts.set(account.id, { ...world.accounts.get(account.id), ...account });
  world.templates = new Map(snapshot.templates.map((template) => [template.id, template]));
  changeSettings(world, { ...snapshot.settings, ...world.options.settings });
  for (const each of media) world.media.set(each.id, each);
  for (const stored of snapshot.subscriptions) {
    const subscription: Subscription = { ...OVERRIDE_OF_BEFORE, ...stored };
    world.subscriptions.set(subscription.id, subscription);
  }
  world.subscribedAccounts = new Set(snapshot.subscribedAccounts);
  world.customerNames = new Map(snapshot.customerNames);
  world.customersWithUsername = new Set(snapshot.customersWithUsername);
  world.marketingStopped = new Set(snapshot.marketingStopped);
  for (const message of snapshot.messages) {
    addMessage(world, message);
    const isUnderWay =
      message.direction === 'out' &&
      ['accepted', 'sent'].includes(message.status) &&
      message.heldFor === undefined;
    if (isUnderWay) followStatuses(world, message, null);
  }
  for (const template of snapshot.templates)
    if (template.status === 'PENDING') scheduleReview(world, template);
}

/** Whether a file's content is a snapshot of this version. */
const isSnapshot = (value: unknown): value is Snapshot =>
  typeof value === 'object' && value !== null && 'format' in value && value.format === FORMAT;
