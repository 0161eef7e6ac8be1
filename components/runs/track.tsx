import { cx } from '#components/ui/cx.ts';
import { DOT_TONE, type Tone } from '#components/ui/tones.ts';
import { formatDuration } from '#components/ui/format-duration.ts';
import type { Segment } from './segments.ts';

/** The time range of the bars: milliseconds since 1970. */
export interface TimeFrame {
  fromMs: number;
  toMs: number;
}

const MIN_BAR_PERCENT = 0.8;
const STRIPES = 'bg-[repeating-linear-gradient(135deg,currentColor_0_2px,transparent_2px_5px)]';
const WAITS: Partial<Record<Segment['kind'], string>> = {
  queued: `${STRIPES} text-line-strong`,
  waiting: `${STRIPES} text-accent`,
};

const lookOf = (kind: Segment['kind'], tone: Tone): string =>
  WAITS[kind] ?? DOT_TONE[kind === 'failed' ? 'danger' : tone];

/**
 * A line of the waterfall with its total duration. Equally wide inside and outside loops, so that bars align; its container
 * sets the width.
 */
export function Track({
  segments,
  frame,
  tone,
}: {
  segments: readonly Segment[];
  frame: TimeFrame;
  tone: Tone;
}) {
  const whole = Math.max(1, frame.toMs - frame.fromMs);
  const first = segments[0];
  const last = segments.at(-1);
  return (
    <span className="flex items-center justify-end gap-3">
      <span aria-hidden className="relative h-2 w-[58cqw] min-w-0 rounded-full bg-line/60">
        {segments.map(({ kind, fromMs, toMs }) => {
          const left = Math.min(100 - MIN_BAR_PERCENT, Math.max(0, ((fromMs - frame.fromMs) / whole) * 100));
          const width = Math.min(100 - left, Math.max(MIN_BAR_PERCENT, ((toMs - fromMs) / whole) * 100));
          return (
            <span
              key={fromMs + kind}
              className={cx('absolute inset-y-0 rounded-full', lookOf(kind, tone))}
              style={{ left: `${left.toFixed(2)}%`, width: `${width.toFixed(2)}%` }}
            />
          );
        })}
      </span>
      <span className="w-20 shrink-0 text-right text-xs whitespace-nowrap text-muted tabular-nums">
        {first && last ? formatDuration(last.toMs - first.fromMs) : ''}
      </span>
    </span>
  );
}

/** The legend of the bars, and their time range. */
export const TrackLegend = ({ frame }: { frame: TimeFrame }) => (
  <div className="mt-2 flex flex-wrap items-center gap-x-4 gap-y-1 border-t border-line px-3 pt-3 text-xs text-muted">
    <Mark look={lookOf('queued', 'neutral')} text="in the queue" />
    <Mark look={lookOf('waiting', 'neutral')} text="waiting" />
    <Mark look={lookOf('working', 'success')} text="working" />
    <span className="ml-auto tabular-nums">{formatDuration(frame.toMs - frame.fromMs)} in all</span>
  </div>
);

const Mark = ({ look, text }: { look: string; text: string }) => (
  <span className="inline-flex items-center gap-1.5">
    <span aria-hidden className={cx('h-2 w-5 rounded-full', look)} />
    {text}
  </span>
);
