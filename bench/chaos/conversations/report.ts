// The result of the conversations, as text and figures.
import type { PlayedConversations } from './play.ts';

export function summarizeConversations({ stuckRuns: _, problems: __, ...figures }: PlayedConversations) {
  return figures;
}

export function toConversationLines(played: PlayedConversations): string[] {
  const { acknowledged, lost, doubled, stuck, flagged } = played;
  const kills = Object.entries(played.kills).map(([kind, times]) => `${kind} ${times}`);
  return [
    ...played.stuckRuns.map((run) => `stuck: ${JSON.stringify(run)}`),
    ...played.problems.map((problem) => `wrong: ${problem}`),
    `${kills.join(', ')} in ${played.seconds} s; ${played.refused} webhooks were refused`,
    `${played.messages} messages were sent, ${played.reminders} of them reminders, and ${played.answers} answers used; ` +
      `${played.completed} conversations came to their end, ${played.wrong} went wrong, ${played.orphans} processes were left behind`,
    `acknowledged ${acknowledged}, lost ${lost}, doubled ${doubled}, stuck ${stuck}, flagged ${flagged}`,
  ];
}
