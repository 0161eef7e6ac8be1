import { randomBytes } from 'node:crypto';
import { reasonOf } from '#lib/core/errors.ts';
import { appReceiverUrl, appVerifyToken } from '#lib/messaging/connections/receivers.ts';
import type { AppContext } from '#lib/messaging/connections/subscribe-notifications.ts';
import { type Finding, ok, problem, warning } from './findings.ts';

const ABOUT = 'Callback URL';
const TIMEOUT_MS = 10_000;

/**
 * Performs the platform's handshake with Patchbay's own public address. The right response also shows that the web process has
 * the same app secret.
 */
export async function checkCallback({ platform, baseUrl }: AppContext): Promise<Finding> {
  const url = appReceiverUrl({ baseUrl });
  if (platform.appSecret === undefined)
    return problem(ABOUT, `${url} verifies nothing without an app secret: set MESSAGING_CLIENT_SECRET.`);
  const challenge = randomBytes(8).toString('hex');
  const query = new URLSearchParams({
    'hub.mode': 'subscribe',
    'hub.verify_token': appVerifyToken(platform.appSecret),
    'hub.challenge': challenge,
  });
  try {
    const response = await fetch(`${url}?${query}`, {
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const answer = await response.text();
    return judge(url, response.status, answer === challenge);
  } catch (error) {
    return problem(
      ABOUT,
      `${url} does not answer (${reasonOf(error)}). Check that Patchbay runs, and DNS, firewall and reverse proxy: the platform calls this address from the internet.`,
    );
  }
}

function judge(url: string, status: number, isRight: boolean): Finding {
  if (status === 200 && isRight)
    return url.startsWith('https://')
      ? ok(ABOUT, `${url} answers the platform’s handshake from this machine`)
      : warning(ABOUT, `${url} answers, but the platform calls only addresses with https: set BASE_URL.`);
  if (status === 403)
    return problem(
      ABOUT,
      `${url} answers with another app secret than the one that is set here. Give web processes and this command the same MESSAGING_CLIENT_SECRET and MESSAGING_APP_SECRET.`,
    );
  return problem(
    ABOUT,
    `${url} answers ${status} to the platform’s handshake. It must reach the web process unchanged: check BASE_URL and the reverse proxy.`,
  );
}
