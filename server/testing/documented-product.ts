// Patchbay as started by `npm start`, with its sandbox, for the tests of the documents.
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, vi } from 'vitest';
import { findFreePort } from '#lib/core/find-free-port.ts';
import { buildIfNeeded } from '../launcher/build.ts';
import { root } from '../root.ts';
import { Installation } from './installation.ts';

const UP_MS = 180_000;

export interface DocumentedProduct {
  url: string;
  sandboxUrl: string;
  apiKey: string;
  /** Folder for files of the test; removed with the product. */
  place: string;
  /** The REST API with the key. @throws Error with the response when it refuses */
  api: <Answer>(method: string, path: string, body?: object) => Promise<Answer>;
  /** The sandbox's control API. */
  control: <Answer>(path: string, body?: object) => Promise<Answer>;
  stop: () => Promise<void>;
}

/** @param settings beside those of every such product */
export async function startDocumentedProduct(
  settings: Record<string, string> = {},
): Promise<DocumentedProduct> {
  const place = mkdtempSync(join(tmpdir(), 'patchbay-docs-'));
  chmodSync(place, 0o711);
  await buildIfNeeded(root, () => undefined, new AbortController().signal);
  const [port, sandboxPort] = [await findFreePort(), await findFreePort()];
  const apiKey = 'an-api-key-of-a-test-0123456789abcdef';
  const url = `http://localhost:${port}`;
  const sandboxUrl = `http://127.0.0.1:${sandboxPort}`;
  const start = new Installation(join(place, 'data'), {
    ...process.env,
    PORT: String(port),
    SANDBOX_PORT: String(sandboxPort),
    DATABASE_URL: '',
    BASE_URL: '',
    PATCHBAY_API_KEY: apiKey,
    LOG_LEVEL: 'warn',
    ...settings,
  }).start();
  const stop = async (): Promise<void> => {
    start.bootstrap.kill('SIGTERM');
    await start.exited;
    rmSync(place, { recursive: true, force: true });
  };
  try {
    await vi.waitFor(async () => expect((await fetch(`${url}/readyz`)).status, start.output()).toBe(200), {
      timeout: UP_MS,
      interval: 100,
    });
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    url,
    sandboxUrl,
    apiKey,
    place,
    api: (method, path, body) =>
      call(method, `${url}/api/v1${path}`, body, { Authorization: `Bearer ${apiKey}` }),
    control: (path, body) => call(body ? 'POST' : 'GET', `${sandboxUrl}/__sandbox/${path}`, body, {}),
    stop,
  };
}

async function call<Answer>(
  method: string,
  url: string,
  body: object | undefined,
  headers: Record<string, string>,
): Promise<Answer> {
  const response = await fetch(url, {
    method,
    headers: { ...headers, ...(body ? { 'Content-Type': 'application/json' } : {}) },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${url}: ${response.status} ${text}`);
  return (text === '' ? null : JSON.parse(text)) as Answer;
}
