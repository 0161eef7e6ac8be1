// Which messages start several workflows. Isomorphic: the editor checks while the user types.
import type { MessageFilter } from './subscription-kinds.ts';

/**
 * The messages that two triggers of the same connection both start on.
 * @returns null: there are none; else the words that these contain, none where every message of both is among them
 */
export function findSharedMessages(one: MessageFilter, other: MessageFilter): string[] | null {
  if (leavesTo(one, other) || leavesTo(other, one)) return null;
  const numbers = [one.phoneNumberId, other.phoneNumberId];
  if (!numbers.includes(null) && one.phoneNumberId !== other.phoneNumberId) return null;
  const isOfBoth = one.messageKinds.some((kind) => other.messageKinds.includes(kind));
  if (one.messageKinds.length > 0 && other.messageKinds.length > 0 && !isOfBoth) return null;
  if (one.words.length === 0 || other.words.length === 0) return [...one.words, ...other.words];
  const shared = [
    ...one.words.filter((word) => saysOneOf(word, other.words)),
    ...other.words.filter((word) => saysOneOf(word, one.words)),
  ];
  const unique = new Map(shared.map((word) => [toWords(word), word]));
  return unique.size > 0 ? [...unique.values()] : null;
}

/** Whether a trigger starts only on certain words or kinds, and not on all messages. */
export const isForCertain = ({
  words,
  messageKinds,
}: Pick<MessageFilter, 'words' | 'messageKinds'>): boolean => words.length > 0 || messageKinds.length > 0;

const leavesTo = (one: MessageFilter, other: MessageFilter): boolean =>
  one.isForRest === true && other.isForRest !== true && isForCertain(other);

/** Whole words are matched, ignoring case: "no" is not in "now". */
export function saysOneOf(text: string, words: readonly string[]): boolean {
  const said = ` ${toWords(text)} `;
  return words.some((word) => said.includes(` ${toWords(word)} `));
}

/** Words consist of letters and digits; a word without any, such as an emoji, is compared as a whole. */
function toWords(text: string): string {
  const folded = text.normalize('NFKC').toLowerCase();
  return folded
    .split(/[^\p{L}\p{M}\p{N}\p{S}]+/u)
    .filter(Boolean)
    .join(' ');
}
