// The platform's markup in messages: *bold*, _italic_, ~struck~, ```fixed```.

export type Mark = 'bold' | 'italic' | 'struck' | 'fixed';

export interface MessagePart {
  text: string;
  mark: Mark | null;
}

const MARKED =
  /```([^`]+)```|(?<![\w*])\*(\S(?:[^*\n]*\S)?)\*(?![\w*])|(?<!\w)_(\S(?:[^_\n]*\S)?)_(?!\w)|(?<![\w~])~(\S(?:[^~\n]*\S)?)~(?![\w~])/g;

/** Splits a text into formatted and plain parts, without the markup. */
export function formatMessage(text: string): MessagePart[] {
  const parts: MessagePart[] = [];
  let end = 0;
  for (const match of text.matchAll(MARKED)) {
    if (match.index > end) parts.push({ text: text.slice(end, match.index), mark: null });
    const [whole, fixed, bold, italic, struck] = match;
    const mark = fixed ? 'fixed' : bold ? 'bold' : italic ? 'italic' : 'struck';
    parts.push({ text: fixed ?? bold ?? italic ?? struck ?? whole, mark });
    end = match.index + whole.length;
  }
  if (end < text.length) parts.push({ text: text.slice(end), mark: null });
  return parts;
}
