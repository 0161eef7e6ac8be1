import { writeInstant } from '#lib/core/time/zones.ts';
import { inArray } from 'drizzle-orm';
import { listLastEvents } from '#lib/workflows/newest-events.ts';
import { listSilences } from '#lib/workflows/silences.ts';
import type { AlertContent } from '../alert-types.ts';
import { loadAlertSettings } from '#lib/alerts/stored-settings.ts';
import type { AlertRuntime } from '../runtime.ts';
import { workflowAlertSettings } from '../schema.ts';
import { workflowAlertSettingsSchema } from '../settings.ts';
import { writeDuration } from '../write-words.ts';
import { listWatched, recordFindings } from './record-findings.ts';

interface SilentWorkflow {
  workspaceId: string;
  id: string;
  name: string;
  sinceAt: Date;
  /** The usual time between events; null: a period was configured. */
  usualSeconds: number | null;
}

/** Reports workflows without events: for longer than usual, or than configured. */
export async function checkSilences(runtime: AlertRuntime, now = new Date()): Promise<void> {
  const silent: SilentWorkflow[] = [];
  for (const workspaceId of await listWatched(runtime, 'silence'))
    silent.push(...(await findSilent(runtime, workspaceId, now)));
  const found = silent.map((each) => ({
    workspaceId: each.workspaceId,
    about: each.id,
    workflowId: each.id,
    trouble: each.sinceAt.toISOString(),
    content: (zone: string) => describeSilence(each, now, zone),
  }));
  await recordFindings(runtime, 'silence', found, now);
}

async function findSilent({ db }: AlertRuntime, workspaceId: string, now: Date): Promise<SilentWorkflow[]> {
  const { silence_hours: hours } = await loadAlertSettings(db, workspaceId);
  const [events, learned] = await Promise.all([
    listLastEvents({ db, workspaceId }),
    listSilences({ db, workspaceId }, { now }),
  ]);
  const own = await loadOwnHours(db, [...events.keys()]);
  return [...events].flatMap(([id, { name, lastAt }]): SilentWorkflow[] => {
    const chosen = own.get(id) ?? hours;
    if (chosen !== null)
      return now.getTime() - lastAt.getTime() >= chosen * 3_600_000
        ? [{ workspaceId, id, name, sinceAt: lastAt, usualSeconds: null }]
        : [];
    const silence = learned.get(id);
    if (!silence) return [];
    const { sinceAt, usualSeconds } = silence;
    return [{ workspaceId, id, name, sinceAt: new Date(sinceAt), usualSeconds }];
  });
}

/** Hours configured for single workflows. */
async function loadOwnHours(db: AlertRuntime['db'], ids: string[]): Promise<Map<string, number>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .select()
    .from(workflowAlertSettings)
    .where(inArray(workflowAlertSettings.workflowId, ids));
  return new Map(
    rows.flatMap(({ workflowId, settings }) => {
      const { silence_hours: hours } = workflowAlertSettingsSchema.parse(settings);
      return hours === null ? [] : [[workflowId, hours] as const];
    }),
  );
}

/** The alert about a workflow that went quiet. */
function describeSilence(
  { id, name, sinceAt, usualSeconds }: Omit<SilentWorkflow, 'workspaceId'>,
  now: Date,
  zone: string,
): AlertContent {
  const silentSeconds = (now.getTime() - sinceAt.getTime()) / 1000;
  const usual =
    usualSeconds === null
      ? ''
      : ` Usually one comes every ${writeDuration(usualSeconds)}, with no such pause.`;
  return {
    title: `“${name}” went quiet: no event for ${writeDuration(silentSeconds)}`,
    paragraphs: [
      `The workflow “${name}” got its last event on ${writeInstant(sinceAt, zone)}.${usual}`,
      'Check that its caller still sends requests, and to its current URL. Refused requests are listed under Events.',
    ],
    link: { label: 'Open its events', path: `/events?workflow=${id}` },
    workflowName: name,
    since: sinceAt.toISOString(),
  };
}
