// The result of a rolling upgrade, as text and figures.
import type { PlayedUpgrade, Step } from './play.ts';

/** Unmet requirements; empty: none. */
export function findUpgradeProblems(played: PlayedUpgrade): string[] {
  const { orders, conversations, uncured, unexpectedEnds } = played;
  const counts: [string, number][] = [
    ['webhooks lost', orders.lost + conversations.lost],
    ['events, messages or answers doubled', orders.doubled + conversations.doubled],
    ['runs stuck', orders.stuck],
    ["acknowledgements of another webhook's event", orders.foreign],
    ['records that contradict each other', orders.contradicted],
    ['conversations that went wrong', conversations.wrong],
    ['sends whose outcome is unknown', orders.flagged],
    ['runs that failed', orders.failed],
    ['webhooks that failed twice', uncured],
    ['processes that ended by themselves', unexpectedEnds],
  ];
  const details = [...orders.stuckRuns, ...orders.contradictions, ...conversations.problems];
  return [
    ...counts.filter(([, count]) => count > 0).map(([what, count]) => `${what}: ${count}`),
    ...(orders.acknowledged === 0 || conversations.completed === 0 ? ['nothing was done'] : []),
    ...details.map((detail) => JSON.stringify(detail)),
  ];
}

/** The stored figures. */
export function summarizeUpgrade({ steps, orders, conversations, ...rest }: PlayedUpgrade) {
  const { stuckRuns: _stuck, contradictions: _contradictions, ...orderFigures } = orders;
  const { stuckRuns: _open, problems: _problems, ...conversationFigures } = conversations;
  return { steps, orders: orderFigures, conversations: conversationFigures, ...rest };
}

export function toUpgradeLines({ steps, orders, conversations }: PlayedUpgrade): string[] {
  const row = ({ name, seconds, acknowledged, failed, longestGapMs, open }: Step): string =>
    name.padEnd(36) +
    [`${seconds} s`, acknowledged, failed, `${longestGapMs} ms`, open]
      .map((cell) => String(cell).padStart(14))
      .join('');
  const heads = ['lasted', 'acknowledged', 'failed once', 'longest gap', 'open runs'];
  return [
    `${''.padEnd(36)}${heads.map((head) => head.padStart(14)).join('')}`,
    ...steps.map(row),
    `${conversations.acknowledged} conversations, ${conversations.completed} of them to their end; ${orders.messages} messages, ` +
      `${conversations.reminders} reminders, ${conversations.answers} answers; ${orders.succeeded} runs succeeded`,
    `acknowledged ${orders.acknowledged + conversations.acknowledged}, lost ${orders.lost + conversations.lost}, ` +
      `doubled ${orders.doubled + conversations.doubled}, stuck ${orders.stuck}, flagged ${orders.flagged}`,
  ];
}
