'use client';
import { ChevronDown, ChevronRight } from 'lucide-react';
import { memo, useMemo, useState } from 'react';
import { Button } from '#components/ui/button.tsx';
import { CopyButton } from '#components/ui/code-block.tsx';

const LINES_AT_ONCE = 500;

const COLOURS: Record<JsonToken['kind'], string> = {
  key: 'text-accent',
  string: 'text-success',
  number: 'text-warning',
  word: 'text-info',
  mark: 'text-muted',
};

/** JSON that can be folded and copied. @param json indented with two spaces; digits stay unchanged */
export function JsonView({ json, label }: { json: string; label: string }) {
  const lines = useMemo(() => toJsonLines(json), [json]);
  const [folded, setFolded] = useState<ReadonlySet<number>>(new Set());
  const [limit, setLimit] = useState(LINES_AT_ONCE);
  const visible = listVisible(lines, folded);
  const toggle = (index: number) => {
    const next = new Set(folded);
    if (!next.delete(index)) next.add(index);
    setFolded(next);
  };
  return (
    <div className="relative min-w-0 rounded-md border border-line bg-canvas">
      <div
        role="region"
        aria-label={label}
        tabIndex={0}
        className="max-h-[32rem] overflow-auto py-2 pr-12 font-mono text-sm"
      >
        <div className="w-max min-w-full">
          {visible.slice(0, limit).map((index) => (
            <Line
              key={index}
              line={lines[index] as JsonLine}
              index={index}
              isFolded={folded.has(index)}
              toggle={toggle}
            />
          ))}
        </div>
        {visible.length > limit && (
          <div className="px-3 pt-2 font-sans">
            <Button size="sm" onClick={() => setLimit((shown) => shown + 4 * LINES_AT_ONCE)}>
              Show more of {visible.length} lines
            </Button>
          </div>
        )}
      </div>
      <div className="absolute top-1 right-1 rounded-md bg-canvas">
        <CopyButton text={json} label={`Copy ${label}`} iconOnly />
      </div>
    </div>
  );
}

function listVisible(lines: readonly JsonLine[], folded: ReadonlySet<number>): number[] {
  const visible: number[] = [];
  for (let index = 0; index < lines.length; index += 1) {
    visible.push(index);
    const closes = lines[index]?.closes ?? null;
    if (closes !== null && folded.has(index)) index = closes;
  }
  return visible;
}

const Line = memo(function Line({
  line,
  index,
  isFolded,
  toggle,
}: {
  line: JsonLine;
  index: number;
  isFolded: boolean;
  toggle: (index: number) => void;
}) {
  const canFold = line.closes !== null && line.closes > index + 1;
  const closing = line.text.endsWith('{') ? '}' : ']';
  return (
    <div className="flex pr-3 leading-6 hover:bg-hover/60">
      <span className="w-6 shrink-0">
        {canFold && (
          <button
            type="button"
            aria-expanded={!isFolded}
            aria-label={`Fold line ${index + 1}`}
            onClick={() => toggle(index)}
            className="flex size-6 items-center justify-center rounded-sm text-muted hover:text-ink"
          >
            {isFolded ? (
              <ChevronRight aria-hidden className="size-3.5" />
            ) : (
              <ChevronDown aria-hidden className="size-3.5" />
            )}
          </button>
        )}
      </span>
      <span className="whitespace-pre">
        {' '.repeat(line.indent)}
        {toJsonTokens(line.text).map((token, place) => (
          <span key={place} className={COLOURS[token.kind]}>
            {token.text}
          </span>
        ))}
        {isFolded && <span className="text-muted"> … {closing}</span>}
      </span>
    </div>
  );
});

// Splits indented JSON into foldable lines: the text is never parsed, so that no digit changes.

interface JsonLine {
  /** Leading spaces. */
  indent: number;
  text: string;
  /** For a line that opens an object or an array: the index of the line that closes it. */
  closes: number | null;
}

/** Splits JSON that was indented with two spaces. */
export function toJsonLines(json: string): JsonLine[] {
  const lines = json.split('\n').map((line): JsonLine => {
    const text = line.trimStart();
    return { indent: line.length - text.length, text, closes: null };
  });
  const open: number[] = [];
  lines.forEach((line, index) => {
    if (/^[\]}],?$/.test(line.text)) {
      const opener = open.pop();
      const opening = opener === undefined ? undefined : lines[opener];
      if (opening) opening.closes = index;
    } else if (/[[{]$/.test(line.text)) {
      open.push(index);
    }
  });
  return lines;
}

interface JsonToken {
  kind: 'key' | 'string' | 'number' | 'word' | 'mark';
  text: string;
}

const TOKEN = /("(?:[^"\\]|\\.)*")(\s*:)?|(-?\d[\d.eE+-]*)|(true|false|null)|([^"\d\-tfn]+|.)/g;

/** The tokens of one line, for highlighting; joined they are the line. */
export function toJsonTokens(text: string): JsonToken[] {
  return [...text.matchAll(TOKEN)].flatMap(([whole, string, colon, number, word]): JsonToken[] => {
    if (string !== undefined && colon !== undefined)
      return [
        { kind: 'key', text: string },
        { kind: 'mark', text: colon },
      ];
    if (string !== undefined) return [{ kind: 'string', text: string }];
    if (number !== undefined) return [{ kind: 'number', text: number }];
    if (word !== undefined) return [{ kind: 'word', text: word }];
    return [{ kind: 'mark', text: whole }];
  });
}
