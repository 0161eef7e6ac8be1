'use client';
import { useQuery } from '@tanstack/react-query';
import { Callout } from '#components/ui/callout.tsx';
import type { DriftFinding, PayloadDrift as Drift, ValueKind } from '#lib/workflows/payload-drift.ts';

const SHOWN = 5;

/** Fields of tasks that are missing in the newest events or have several types; nothing when there are none. */
export function PayloadDrift({ workflowId }: { workflowId: string }) {
  const { data } = useQuery({
    queryKey: ['drift', workflowId],
    queryFn: ({ signal }) => fetchDrift(workflowId, signal),
    staleTime: 30_000,
    retry: false,
  });
  if (!data || data.findings.length === 0) return null;
  const { findings, events } = data;
  return (
    <Callout tone="warning" title="Events don’t match what the tasks expect">
      <ul className="mt-1 flex flex-col gap-2 text-sm">
        {findings.slice(0, SHOWN).map((finding) => (
          <Finding key={finding.label} finding={finding} events={events} />
        ))}
      </ul>
      <p className="mt-2 text-sm text-muted">
        {findings.length > SHOWN && `And ${findings.length - SHOWN} more. `}
        Seen in the last {events} production events. Add a default value or a condition before the task.
      </p>
    </Callout>
  );
}

function Finding({ finding, events }: { finding: DriftFinding; events: number }) {
  const { tasks, label, isFixed } = finding;
  return (
    <li>
      <code className="font-mono font-semibold break-words">{label}</code> {describeDrift(finding, events)}
      <span className="block text-muted">
        Used by {tasks.map(({ name }) => `“${name}”`).join(', ')}
        {isFixed && ' in the published version; no longer used in the draft'}
      </span>
    </li>
  );
}

async function fetchDrift(workflowId: string, signal: AbortSignal): Promise<Drift> {
  const response = await fetch(`/workflows/${workflowId}/drift`, { signal });
  if (!response.ok) throw new Error('The events could not be compared.');
  return (await response.json()) as Drift;
}

const KIND_WORDS: Readonly<Record<ValueKind, string>> = {
  text: 'text',
  number: 'a number',
  'yes/no': 'true or false',
  list: 'a list',
  object: 'an object',
};

/** The text after a field's name: `is missing or empty in 12 % of events`. */
export function describeDrift({ missing, kinds }: DriftFinding, events: number): string {
  const share = (count: number): string => percent(count / events);
  const parts: string[] = [];
  if (missing === events) parts.push('is missing or empty in every event');
  else if (missing > 0) parts.push(`is missing or empty in ${share(missing)} of events`);
  const [usual, ...others] = kinds;
  if (usual && others.length > 0) {
    const rest = others.map(({ kind, events: count }) => `${KIND_WORDS[kind]} in ${share(count)}`);
    parts.push(`is ${KIND_WORDS[usual.kind]} in ${share(usual.events)} of events, ${rest.join(', ')}`);
  }
  return `${parts.join('; it ')}.`;
}

/** Never 0 % for a present value, nor 100 % for an incomplete one. */
function percent(part: number): string {
  const rounded = Math.round(part * 100);
  return `${part > 0 && part < 1 ? Math.min(99, Math.max(1, rounded)) : rounded}\u00a0%`;
}
