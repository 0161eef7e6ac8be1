'use client';
import { BellRing } from 'lucide-react';
import { Badge } from '#components/ui/badge.tsx';
import { formatInstant } from '#components/ui/format.ts';
import { useZone } from '#components/ui/relative-time.tsx';
import type { Silence } from '#lib/workflows/silences.ts';

/** A warning that there were no events for unusually long, with the usual interval. */
export function SilenceBadge({ silence, compact = false }: { silence: Silence; compact?: boolean }) {
  const zone = useZone();
  const { silent, usual } = describeSilence(silence);
  return (
    <span
      className="inline-flex flex-wrap items-center gap-x-1.5 text-sm text-muted"
      title={`The last event was received on ${formatInstant(silence.sinceAt, zone, { named: true })}; ${usual}. Check whether the sender still calls this webhook.`}
    >
      <Badge tone="warning" icon={<BellRing aria-hidden />}>
        {silent}
      </Badge>
      <span className={compact ? 'sr-only' : ''}>{usual}</span>
    </span>
  );
}

const UNITS: readonly [name: string, seconds: number][] = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
];

/** `Silent for 3 days`, and `usually every 10 minutes`. */
export function describeSilence({ silentSeconds, usualSeconds }: Silence): { silent: string; usual: string } {
  const [count, unit] = measure(silentSeconds);
  return {
    silent: `Silent for ${count} ${unit}${count === 1 ? '' : 's'}`,
    usual: `usually ${every(usualSeconds)}`,
  };
}

function every(seconds: number): string {
  if (seconds < 45) return 'several times a minute';
  const [count, unit] = measure(seconds);
  return count === 1 ? `every ${unit}` : `every ${count} ${unit}s`;
}

/** In the largest unit with (nearly) one of it. */
function measure(seconds: number): [count: number, unit: string] {
  for (const [unit, size] of UNITS) {
    if (seconds >= size * 0.95) return [Math.round(seconds / size), unit];
  }
  return [1, 'minute'];
}
