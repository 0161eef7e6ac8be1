// Settings that are valid one by one but contradict each other.
import { createSecretBox } from '#lib/core/crypto/secret-box.ts';
import type { Environment, SettingProblem } from './problems.ts';

/** Both have to be set, or neither. */
const PAIRS = [
  ['SMTP_URL', 'MAIL_FROM'],
  ['MEDIA_S3_ACCESS_KEY_ID', 'MEDIA_S3_SECRET_ACCESS_KEY'],
  ['AUTH_OIDC_ISSUER', 'AUTH_OIDC_CLIENT_ID'],
] as const;

const DEFAULT_PORT = '3000';

/** @param given settings as texts; an empty one counts as absent */
export function findContradictions(given: Environment): SettingProblem[] {
  const problems: SettingProblem[] = [];
  const report = (name: string, message: string): void => void problems.push({ name, message });
  for (const [one, other] of PAIRS)
    if (!given[one] !== !given[other])
      report(given[one] ? other : one, `set ${one} and ${other}, or neither`);
  if (given['MEDIA_STORE'] === 's3' && !given['MEDIA_S3_BUCKET'])
    report('MEDIA_S3_BUCKET', 'MEDIA_STORE=s3 needs a bucket');
  if (given['METRICS_PORT'] && Number(given['METRICS_PORT']) === Number(given['PORT'] || DEFAULT_PORT))
    report('METRICS_PORT', `${given['METRICS_PORT']} is PORT, too: choose another port for one of them`);
  const keyProblem = given['ENCRYPTION_KEYS'] ? findKeyMistake(given['ENCRYPTION_KEYS']) : null;
  if (keyProblem !== null) report('ENCRYPTION_KEYS', keyProblem);
  return problems;
}

function findKeyMistake(keys: string): string | null {
  try {
    createSecretBox(keys);
    return null;
  } catch (error) {
    return (error as Error).message;
  }
}
