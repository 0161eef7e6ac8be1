// Other products do not report when they are ready, nor when a flow ended after its response.
import type { ChildProcess } from 'node:child_process';
import { setTimeout as wait } from 'node:timers/promises';
import { readFamilySeconds } from '#lib/testing/process-times.ts';
import { ORDER } from '../load.ts';
import type { Settled } from '../webhooks/system.ts';

const POLL_MS = 100;
const QUIET_MS = 200;
/** Consecutive checks: a process that got no processor time for a moment may still have work. */
const QUIET_WINDOWS = 3;
/** An idle product uses less than this share of a core. */
const IDLE_SHARE = 0.1;
const LONGEST_DRAIN_MS = 60_000;

/** Waits until the flow answers with 200. @throws Error if the process ends before, or it takes too long. */
export async function untilAnswering(url: string, child: ChildProcess, longestMs: number): Promise<void> {
  const deadline = Date.now() + longestMs;
  while (Date.now() < deadline) {
    if (child.exitCode !== null) throw new Error(`It ended with code ${child.exitCode} before it answered.`);
    if ((await postOrder(url))?.status === 200) return;
    await wait(POLL_MS);
  }
  throw new Error(`It did not answer within ${longestMs / 1000} s.`);
}

/** Posts the order once; null where nothing listens yet. */
export async function postOrder(url: string): Promise<{ status: number; body: string } | null> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: ORDER,
    });
    return { status: response.status, body: await response.text() };
  } catch {
    return null;
  }
}

/** Waits until the process and those it started use next to no processor time, and did so for a while. */
export async function untilIdle(pid: number): Promise<Settled> {
  const deadline = Date.now() + LONGEST_DRAIN_MS;
  let endedAt = Date.now();
  for (let quiet = 0; quiet < QUIET_WINDOWS;) {
    const before = readFamilySeconds(pid);
    await wait(QUIET_MS);
    const isQuiet = readFamilySeconds(pid) - before <= (QUIET_MS / 1000) * IDLE_SHARE;
    quiet = isQuiet ? quiet + 1 : 0;
    if (!isQuiet) endedAt = Date.now();
    if (Date.now() > deadline) return { endedAt, left: 1 };
  }
  return { endedAt, left: 0 };
}
