import type { AlertContent } from '../alert-types.ts';
import type { AlertKind } from '../kinds.ts';
import { writeInstant } from '../write-words.ts';
import { DIRECT_ALERTS, WINDOW_MINUTES } from './weigh-recipient.ts';

/** An alert that waited for a digest. */
export interface GatheredAlert {
  workflowId: string | null;
  content: AlertContent;
  createdAt: Date;
}

interface Words {
  title: (workflows: string) => string;
  whatToDo: string;
  link: AlertContent['link'];
}

const WORDS: Partial<Record<AlertKind, Words>> = {
  run_failed: {
    title: (workflows) => `${workflows} failed`,
    whatToDo:
      'Open the newest run. When many workflows fail at the same time, the cause is usually one that they share: a connection, a service that they call, or the messaging platform.',
    link: { label: 'Open the failed runs', path: '/runs?status=failed' },
  },
  silence: {
    title: (workflows) => `${workflows} stopped getting events`,
    whatToDo:
      'Check that their callers still send requests. When many workflows go quiet at the same time, they usually have the same caller.',
    link: { label: 'Open the workflows', path: '/workflows' },
  },
  payload_drift: {
    title: (workflows) => `${workflows} get different data than before`,
    whatToDo: 'Ask the sender whether the change is intended, then select the new fields in their tasks.',
    link: { label: 'Open the workflows', path: '/workflows' },
  },
};
const OTHERS: Words = {
  title: (workflows) => `${workflows} have alerts`,
  whatToDo: 'Look at each of them.',
  link: { label: 'Open the alerts', path: '/settings/alerts' },
};
/** Maximum number that a digest lists; each has its own entry on the page of alerts. */
const MAX_ITEMS = 500;

/** The digest of waiting alerts, oldest first, each with its link. */
export function describeDigest(kind: AlertKind, gathered: readonly GatheredAlert[]): AlertContent {
  const words = WORDS[kind] ?? OTHERS;
  const count = new Set(gathered.map(({ workflowId, content }) => workflowId ?? content.title)).size;
  const times = gathered.map(({ createdAt }) => createdAt.getTime());
  const [first, last] = [new Date(Math.min(...times)), new Date(Math.max(...times))].map(writeInstant);
  return {
    title: words.title(`${count} more ${count === 1 ? 'workflow' : 'workflows'}`),
    paragraphs: [
      `You got ${DIRECT_ALERTS} alerts of this kind one by one. ${gathered.length === 1 ? 'One more came' : `${gathered.length} more came`} ${first === last ? `on ${first}` : `from ${first} to ${last}`}:`,
      words.whatToDo,
      `If there are more, you get them together, in ${WINDOW_MINUTES} minutes at the earliest. Settings → Alerts shows each alert in full.`,
    ],
    link: words.link,
    count,
    since: new Date(Math.min(...times)).toISOString(),
    items: gathered.slice(0, MAX_ITEMS).map(({ workflowId, content }) => ({
      text: content.title,
      path: content.link.path,
      workflowId,
      workflowName: content.workflowName ?? null,
    })),
  };
}
