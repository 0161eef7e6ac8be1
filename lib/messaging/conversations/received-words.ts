// The words that customers wrote, by which their messages are found whatever their age (docs/decisions/word-search.md).
import { type SQL, sql } from 'drizzle-orm';

const WORD = /[\p{L}\p{N}]+/gu;
const MAX_CHARACTERS = 40;
const MAX_WORDS = 64;
const WEEK_MS = 604_800_000;
/** How far back is searched: five years. */
const MAX_WEEKS = 261;

/** The different words of a text, regardless of case; what is longer than any word is left out. */
export const toWords = (text: string): string[] => [
  ...new Set(
    (text.normalize('NFKC').toLowerCase().match(WORD) ?? []).filter((word) => word.length <= MAX_CHARACTERS),
  ),
];

const weekOf = (ms: number): number => Math.floor(ms / WEEK_MS);

/** Keys of one workspace and one week, so that a search reads what is newest first, and little of a frequent word at once. */
const prefixOf = (workspaceId: string): string => workspaceId.slice(-6);

/** The keys of a message's words; a text with more words is found by the first ones. */
export const wordKeys = (workspaceId: string, at: Date, text: string): string[] =>
  toWords(text)
    .slice(0, MAX_WORDS)
    .map((word) => `${prefixOf(workspaceId)}.${weekOf(at.getTime())}.${word}`);

export interface WordSearch {
  workspaceId: string;
  /** At least one; a message has all of them. */
  words: readonly string[];
  fromMs?: number | undefined;
  toMs?: number | undefined;
  rows: number;
}

/**
 * SQL: the week before that of the oldest message with words, of any workspace; null: there is none. Ids begin with their time in
 * milliseconds, which may be of the week after that of the words.
 */
const OLDEST_WEEK = sql.raw(`(
  select -1 + ('x' || left(replace(event_id::text, '-', ''), 12))::bit(48)::bigint / ${WEEK_MS} from received_words order by event_id limit 1)`);

/**
 * SQL: the newest events of messages with these words, as the column `event_id`. One week after the other, until there are enough;
 * none where there is no message with words.
 * `offset 0` makes the planner read the index of words: it expects one message in 200 to have them, and would rather read all messages
 * by their ids, once for each week.
 */
export function eventsWithWords({ workspaceId, words, fromMs = 0, toMs, rows }: WordSearch): SQL {
  const last = weekOf(Math.min(toMs ?? Infinity, Date.now()));
  const first = Math.max(weekOf(fromMs), last - MAX_WEEKS);
  return sql`
select found.event_id from generate_series(${last}::bigint, greatest(${first}::bigint, coalesce(${OLDEST_WEEK}, ${last + 1}::bigint)), -1) as w(week)
cross join lateral (
  select event_id from (
    select event_id, workspace_id from received_words where words @> array(
      select ${`${prefixOf(workspaceId)}.`}::text || w.week || '.' || word from unnest(${sql.param(words)}::text[]) as asked(word)
    ) offset 0
  ) holding
  where workspace_id = ${workspaceId}
  order by event_id desc
) found limit ${rows}`;
}
