import type { Metadata } from 'next';
import { cookies } from 'next/headers';
import { notFound } from 'next/navigation';
import { cache } from 'react';
import { LAYOUT_COOKIE, readLayout } from '#components/shell/layout-cookie.ts';
import { WorkflowEditor } from '#components/workflow-editor/workflow-editor.tsx';
import { requireMember } from '#lib/identity/auth/session.ts';
import { checkDraft } from '#lib/editor/canvas/check-draft.ts';
import { toDocument } from '#lib/editor/canvas/document.ts';
import { nullIfMissing } from '#lib/core/errors.ts';
import { hasRole } from '#lib/identity/roles/roles.ts';
import { findSample } from '#lib/editor/load-sample.ts';
import { getWorkflow } from '#lib/workflows/load-workflow.ts';
import { verifyTokenOf } from '#lib/messaging/connections/sealing.ts';
import { hideToken } from '#lib/webhooks/webhook-path.ts';
import { listPinnedTasks } from '#lib/workflows/draft-runs/pins.ts';
import { listSilences } from '#lib/workflows/silences.ts';
import { getWorkspaceTime } from '#lib/identity/workspaces/workspace-time.ts';
import { listKnownSecrets } from '#lib/workflows/secrets/secrets.ts';
import { cancelRun } from '../../runs/actions.ts';
import { startLogin } from '../../connections/actions.ts';
import { duplicate, exportJson } from '../actions.ts';
import {
  copyDraft,
  moveToSecret,
  findWindow,
  getVersion,
  limitRuns,
  startNow,
  listOptions,
  listVersions,
  loadDraft,
  loadFacts,
  pinOutput,
  publish,
  runDraft,
  receiveNotifications,
  saveDraft,
  setActive,
  tryTask,
  unpinOutput,
  unpublish,
} from './actions.ts';
import { readFacts, readPublishedState, toLoadedDraft } from '#lib/screens/read-draft.ts';

const ACTIONS = {
  saveDraft,
  loadDraft,
  loadFacts,
  copyDraft,
  moveToSecret,
  publish,
  unpublish,
  setActive,
  limitRuns,
  startNow,
  duplicate,
  exportJson,
  listVersions,
  getVersion,
  tryTask,
  runDraft,
  cancelRun,
  pinOutput,
  unpinOutput,
  listOptions,
  findWindow,
  receiveNotifications,
  startLogin,
};

type Params = { params: Promise<{ id: string }> };
type Props = Params & { searchParams: Promise<{ task?: string | string[]; event?: string | string[] }> };

const readWorkflow = cache(async (id: string) => {
  const ctx = await requireMember('viewer');
  const workflow = await getWorkflow(ctx, { id }).catch(nullIfMissing);
  if (workflow === null) notFound();
  return { ctx, workflow };
});

export async function generateMetadata({ params }: Params): Promise<Metadata> {
  const { workflow } = await readWorkflow((await params).id);
  return { title: workflow.name };
}

export default async function WorkflowPage({ params, searchParams }: Props) {
  const { id } = await params;
  const { task, event } = await searchParams;
  const { ctx, workflow } = await readWorkflow(id);
  const canEdit = hasRole(ctx.role, 'editor');
  const [live, facts, sample, silences, pinnedTaskIds, secrets, { zone, hours }] = await Promise.all([
    readPublishedState(ctx, workflow),
    readFacts(ctx, workflow),
    canEdit
      ? findSample(ctx, { workflowId: id, eventId: typeof event === 'string' ? event : undefined })
      : undefined,
    listSilences(ctx, { ids: [id] }),
    listPinnedTasks(ctx, { id }),
    listKnownSecrets(ctx, ctx.db),
    getWorkspaceTime(ctx),
  ]);
  const draft = toLoadedDraft(workflow);
  const { palette, panelPx, palettePx } = readLayout((await cookies()).get(LAYOUT_COOKIE)?.value);
  const start = {
    ...draft,
    ...live,
    ...(await checkDraft(toDocument(draft.graph), live.publishedGraph, facts, secrets)),
    facts,
    secrets,
    time: { zone, calendars: Object.keys(hours) },
    id,
    user: { id: ctx.user.id, email: ctx.user.email },
    canEdit,
    verifyToken: canEdit ? verifyTokenOf(workflow.webhook.production_url.split('/').at(-1) ?? '') : '',
    productionUrl: canEdit ? workflow.webhook.production_url : hideToken(workflow.webhook.production_url),
    testUrl: canEdit ? workflow.webhook.test_url : hideToken(workflow.webhook.test_url),
    widths: { panelPx, palettePx },
    isPaletteShown: palette === 'shown',
    sample,
    pinnedTaskIds,
    silence: silences.get(id),
    openTaskId: typeof task === 'string' && /^\d{1,15}$/.test(task) ? Number(task) : undefined,
  };
  return <WorkflowEditor key={id} start={start} actions={ACTIONS} />;
}
