import { randomBytes } from 'node:crypto';
import { newObjectId } from '../ids.ts';
import type { Subscription } from '../model.ts';
import type { World } from '../world.ts';

const HANDSHAKE_TIMEOUT_MS = 10_000;

/** The callback URL did not pass the handshake; the message has the response. */
export class HandshakeFailed extends Error {}

/**
 * Registers a webhook URL after the handshake: `GET ?hub.mode=subscribe&hub.verify_token=…&hub.challenge=…` has to
 * be answered with the challenge. The same URL for the same account is registered once. Throws HandshakeFailed.
 */
export async function subscribe(world: World, input: Omit<Subscription, 'id'>): Promise<Subscription> {
  await shakeHands(input.callbackUrl, input.verifyToken);
  const known = [...world.subscriptions.values()].find(
    ({ callbackUrl, accountId, source }) =>
      callbackUrl === input.callbackUrl && accountId === input.accountId && source === input.source,
  );
  const subscription: Subscription = { id: known?.id ?? newObjectId(), ...input };
  world.subscriptions.set(subscription.id, subscription);
  return subscription;
}

async function shakeHands(callbackUrl: string, verifyToken: string): Promise<void> {
  if (!/^https?:\/\//.test(callbackUrl) || !URL.canParse(callbackUrl))
    throw new HandshakeFailed(`"${callbackUrl}" is not an http or https URL`);
  const challenge = randomBytes(8).toString('hex');
  const url = new URL(callbackUrl);
  url.searchParams.set('hub.mode', 'subscribe');
  url.searchParams.set('hub.verify_token', verifyToken);
  url.searchParams.set('hub.challenge', challenge);
  let response: Response;
  let answer: string;
  try {
    response = await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(HANDSHAKE_TIMEOUT_MS) });
    answer = await response.text();
  } catch (error) {
    throw new HandshakeFailed(
      `The URL could not be reached: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
  if (response.status !== 200)
    throw new HandshakeFailed(`HTTP Status Code = ${response.status}; HTTP Message = ${response.statusText}`);
  if (answer.trim() !== challenge)
    throw new HandshakeFailed('The URL did not answer with the challenge as plain text');
}
