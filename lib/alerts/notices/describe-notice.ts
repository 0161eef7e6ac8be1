import type { AccountNotice, NoticedField } from '#lib/messaging/schema/notice-types.ts';
import { codeTitle, codeWords, limitWords, readQuality } from '#lib/messaging/schema/number-words.ts';
import type { AlertContent } from '../alert-types.ts';
import type { AlertKind } from '../kinds.ts';

/** A notice to report. */
export interface DescribedNotice {
  kind: Extract<AlertKind, 'template' | 'quality'>;
  content: AlertContent;
}

const TEMPLATES = 'Message templates';
const STOPPED: Readonly<Record<string, { words: string; fix: string }>> = {
  REJECTED: {
    words: 'was rejected',
    fix: `Edit it under ${TEMPLATES} and submit it again. Until it is approved, tasks that send it fail.`,
  },
  PAUSED: {
    words: 'was paused',
    fix: 'Use another template for now: tasks that send this one fail. The platform pauses templates that many customers block or report.',
  },
  DISABLED: {
    words: 'was disabled',
    fix: `Select another template in the tasks that send it, and publish. It cannot be used again.`,
  },
  FLAGGED: {
    words: 'may be paused soon',
    fix: 'Change its text, or send it to fewer customers: many block or report it.',
  },
  LIMIT_EXCEEDED: {
    words: 'was not accepted: the account has too many templates',
    fix: `Delete templates that nobody uses under ${TEMPLATES}, then submit it again.`,
  },
};
const FALLING: Readonly<Record<string, string>> = {
  FLAGGED: 'The quality rating of a number fell',
  DOWNGRADE: 'The messaging limit of a number fell',
};
const WORSE: readonly string[] = ['YELLOW', 'RED'];

/** @returns null: good news, or a notice that is not reported */
export function describeNotice(
  { field, value }: Extract<AccountNotice, { field: NoticedField }>,
  connection: { id: string; name: string },
): DescribedNotice | null {
  const read = readerOf(value);
  if (field === 'message_template_status_update') return describeStatus(read, connection);
  if (field === 'message_template_quality_update') return describeTemplateQuality(read, connection);
  if (field === 'template_category_update') return describeCategory(read, connection);
  return describeNumber(read, connection);
}

type Read = (name: string) => string;

const readerOf =
  (value: unknown): Read =>
  (name) => {
    const part =
      typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : null;
    return typeof part === 'string' || typeof part === 'number' ? String(part).slice(0, 200) : '';
  };

const nameOf = (read: Read): string =>
  `“${read('message_template_name')}” (${read('message_template_language') || 'no language'})`;

function describeStatus(read: Read, { name }: { name: string }): DescribedNotice | null {
  const event = read('event');
  const stopped = Object.hasOwn(STOPPED, event) ? STOPPED[event] : undefined;
  if (!stopped) return null;
  const reason = read('reason');
  return {
    kind: 'template',
    content: {
      title: `The message template ${nameOf(read)} ${stopped.words}`,
      paragraphs: [
        `The platform reported it for a template of the connection “${name}”.${reason === '' || reason === 'NONE' ? '' : ` Reason: ${codeWords(reason)}.`}`,
        stopped.fix,
      ],
      link: { label: 'Open the message templates', path: '/message-templates' },
    },
  };
}

function describeTemplateQuality(read: Read, { name }: { name: string }): DescribedNotice | null {
  const [before, now] = [read('previous_quality_score'), read('new_quality_score')];
  if (!WORSE.includes(now) || WORSE.indexOf(now) <= WORSE.indexOf(before)) return null;
  return {
    kind: 'template',
    content: {
      title: `The quality of the message template ${nameOf(read)} fell to ${readQuality(now).level}`,
      paragraphs: [
        `The platform reported it for a template of the connection “${name}”. Templates that customers keep blocking or reporting are paused.`,
        'Change its text, or send it only to customers who expect it.',
      ],
      link: { label: 'Open the message templates', path: '/message-templates' },
    },
  };
}

/** The platform reports a change twice: a day ahead with `correct_category`, then with `previous_category`. */
function describeCategory(read: Read, { name }: { name: string }): DescribedNotice | null {
  const upcoming = read('correct_category');
  const [before, now] = upcoming
    ? [read('new_category'), upcoming]
    : [read('previous_category'), read('new_category')];
  if (now === '' || before === now) return null;
  const from = before === '' ? '' : ` from ${codeTitle(before)}`;
  const title = upcoming
    ? `The platform will change the category of the message template ${nameOf(read)}${from} to ${codeTitle(now)}`
    : `The platform changed the category of the message template ${nameOf(read)}${from} to ${codeTitle(now)}`;
  const effect =
    now === 'MARKETING'
      ? 'Messages with it are charged as marketing, and customers who stopped marketing messages do not get them.'
      : `Messages with it are charged as ${codeWords(now)}.`;
  return {
    kind: 'template',
    content: {
      title,
      paragraphs: [
        `The platform reported it for a template of the connection “${name}”. ${effect}`,
        'If its text should be in another category, change the text, or use another template.',
      ],
      link: { label: 'Open the message templates', path: '/message-templates' },
    },
  };
}

function describeNumber(read: Read, { id, name }: { id: string; name: string }): DescribedNotice | null {
  const event = read('event');
  const words = Object.hasOwn(FALLING, event) ? FALLING[event] : undefined;
  if (words === undefined) return null;
  const limit = read('max_daily_conversations_per_business') || read('current_limit');
  return {
    kind: 'quality',
    content: {
      title: `${words}: ${read('display_phone_number') || name}`,
      paragraphs: [
        `The platform reported it for a number of the connection “${name}”.${limit === '' ? '' : ` Its limit is now: ${limitWords(limit).toLowerCase()}.`}`,
        'Send less for a while, and only what customers asked for. The connection’s page shows the quality of its numbers.',
      ],
      link: { label: 'Open the connection', path: `/connections/${id}` },
    },
  };
}
