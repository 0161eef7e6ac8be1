import { sql } from 'drizzle-orm';
import { databaseOn, inTransaction, queryRows } from '#lib/core/db/client.ts';
import { followZone } from '#lib/engine/schedules/schedules.ts';
import { recordAudit } from '#lib/identity/audit/record-audit.ts';
import type { ActorContext, Context } from '#lib/identity/context.ts';
import type { WorkspaceTime } from '#lib/identity/schema/time-types.ts';
import { getWorkspaceTime, storeWorkspaceTime } from '#lib/identity/workspaces/workspace-time.ts';
import { countAgainInZone } from '#lib/messaging/reports/count-days.ts';
import { LIMIT_AS_JSON } from '#lib/messaging/sending/marketing-limit.ts';
import { consentSettings } from '#lib/messaging/schema/consent.ts';
import { CONSENT_DEFAULTS } from './consent-words.ts';
import { wakeQuiet } from './hold-waits.ts';
import type { ConsentSettings } from './schema.ts';

/** SQL of a row `s` of `consent_settings` as `ConsentSettings`. */
export const SETTINGS_AS_JSON = `json_build_object('stop_words', s.stop_words, 'resume_words', s.resume_words,
  'purpose', s.purpose, 'holds_on_echoes', s.holds_on_echoes, 'echo_hold_hours', s.echo_hold_hours,
  'hold_sends', s.hold_sends, 'hold_deadlines', s.hold_deadlines,
  'stop_confirmation', s.stop_confirmation, 'resume_confirmation', s.resume_confirmation,
  'marketing_limit', ${LIMIT_AS_JSON})`;

/** The workspace's words that stop and give consent, and what holds do. */
export async function getConsentSettings({
  db,
  workspaceId,
}: Pick<Context, 'db' | 'workspaceId'>): Promise<ConsentSettings> {
  const [row] = await queryRows<{ settings: ConsentSettings }>(
    db,
    sql`select ${sql.raw(SETTINGS_AS_JSON)} as settings from consent_settings s where s.workspace_id = ${workspaceId}`,
  );
  return row?.settings ?? CONSENT_DEFAULTS;
}

/** Sets them; the next message counts by them. */
export async function setConsentSettings(
  ctx: Pick<ActorContext, 'db' | 'workspaceId' | 'actor'>,
  settings: ConsentSettings,
): Promise<ConsentSettings> {
  const { workspaceId } = ctx;
  const values = {
    stopWords: settings.stop_words,
    resumeWords: settings.resume_words,
    purpose: settings.purpose,
    holdsOnEchoes: settings.holds_on_echoes,
    echoHoldHours: settings.echo_hold_hours,
    holdSends: settings.hold_sends,
    holdDeadlines: settings.hold_deadlines,
    stopConfirmation: settings.stop_confirmation,
    resumeConfirmation: settings.resume_confirmation,
    marketingLimit: settings.marketing_limit?.messages ?? null,
    ...(settings.marketing_limit && { marketingLimitDays: settings.marketing_limit.days }),
  };
  await ctx.db.transaction(async (tx) => {
    await tx
      .insert(consentSettings)
      .values({ workspaceId, ...values })
      .onConflictDoUpdate({ target: consentSettings.workspaceId, set: values });
    await recordAudit(ctx, tx, 'workspace.consent_changed', { id: workspaceId });
  });
  return settings;
}

/**
 * Sets the workspace's time. Messages that wait for the end of quiet hours look at the new ones; reports and schedules follow a new
 * zone.
 */
export async function setWorkspaceTime(
  ctx: Pick<ActorContext, 'db' | 'workspaceId' | 'actor'>,
  time: WorkspaceTime,
): Promise<WorkspaceTime> {
  const { workspaceId } = ctx;
  await inTransaction(ctx.db.$client, async (client) => {
    const before = await getWorkspaceTime({ db: databaseOn(client), workspaceId });
    await storeWorkspaceTime(ctx, databaseOn(client), time);
    await wakeQuiet(client, workspaceId);
    await followZone(client, workspaceId);
    if (before.zone !== time.zone) await countAgainInZone(client, workspaceId);
  });
  return time;
}
