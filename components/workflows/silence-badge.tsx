'use client';
import { BellRing } from 'lucide-react';
import { Badge } from '#components/ui/badge.tsx';
import { formatInstant } from '#components/ui/format-instant.ts';
import { useReaderZone } from '#components/ui/use-reader-zone.ts';
import type { Silence } from '#lib/workflows/silence-types.ts';
import { describeSilence } from './describe-silence.ts';

/** A warning that there were no events for unusually long, with the usual interval. */
export function SilenceBadge({ silence, compact = false }: { silence: Silence; compact?: boolean }) {
  const zone = useReaderZone();
  const { silent, usual } = describeSilence(silence);
  return (
    <span
      className="inline-flex flex-wrap items-center gap-x-1.5 text-sm text-muted"
      title={`The last event was received on ${formatInstant(silence.sinceAt, zone)}; ${usual}. Check whether the sender still calls this webhook.`}
    >
      <Badge tone="warning" icon={<BellRing aria-hidden />}>
        {silent}
      </Badge>
      <span className={compact ? 'sr-only' : ''}>{usual}</span>
    </span>
  );
}
