import type { Obstacle } from '#lib/messaging/platform/health-status.ts';
import type { Check } from './schema.ts';

const NAMES: ReadonlyMap<string, string> = new Map([
  ['PHONE_NUMBER', 'the number'],
  ['WABA', 'the business account'],
  ['BUSINESS', 'the business'],
  ['APP', 'the app'],
]);

/** What is to be done about an obstacle where the platform's own words say too little, by its code. */
const FIXES: ReadonlyMap<number, string> = new Map([
  [141006, 'Add or fix the payment method of the business account at the platform.'],
]);
const SEE_PLATFORM = 'Fix it in the platform’s dashboard.';

/** What the health check says of the account's right to send. @param obstacles null: the platform did not report any */
export function checkSending(obstacles: readonly Obstacle[] | Error | null): Check {
  const id = 'sending';
  if (obstacles === null || obstacles instanceof Error)
    return {
      id,
      result: 'ok',
      what: 'The platform does not report whether anything blocks sending.',
      fix: null,
    };
  if (obstacles.length === 0)
    return { id, result: 'ok', what: 'The platform blocks nothing: messages can be sent.', fix: null };
  const isBlocked = obstacles.some((each) => each.isBlocked);
  const shown = isBlocked ? obstacles.filter((each) => each.isBlocked) : obstacles;
  const fixes = new Set(
    shown.map(({ code, solution }) => FIXES.get(code ?? 0) ?? (solution || SEE_PLATFORM)),
  );
  return {
    id,
    result: isBlocked ? 'failed' : 'warning',
    what: `The platform ${isBlocked ? 'blocks' : 'limits'} messages because of ${shown.map(describe).join('; ')}.`,
    fix: [...fixes].join(' '),
  };
}

function describe({ of, why, code }: Obstacle): string {
  const words = why.replace(/[.\s]+$/, '');
  return `${NAMES.get(of) ?? of}: ${words}${code === null ? '' : ` (${code})`}`;
}
