// `patchbay workflows delete | trash | restore`: a deleted workflow can be restored for 30 days.
import type { Output } from '../output.ts';
import { type Api, ApiError, take } from './api.ts';
import { findNamed, listWorkflows } from './workflows.ts';

/** Moves a workflow to the trash. */
export async function deleteWorkflow(
  api: Api,
  nameOrId: string,
  cancelRuns: boolean,
  output: Output,
): Promise<void> {
  const { id, name } = findNamed(await listWorkflows(api), nameOrId);
  const query = cancelRuns ? { cancel_runs: 'true' } : {};
  await take(api, api.client.DELETE('/workflows/{id}', { params: { path: { id }, query } }));
  output.give({ id, name }, [`${name}: moved to the trash`]);
}

/** Prints the workflows that can be restored. */
export async function listTrash(api: Api, output: Output): Promise<void> {
  const rows = await loadTrash(api);
  output.give(
    rows,
    rows.map(({ id, name, removed_at }) => `${id}  until ${removed_at.slice(0, 10)}  ${name}`),
  );
}

/** Restores a workflow. */
export async function restoreWorkflow(
  api: Api,
  nameOrId: string,
  activate: boolean,
  output: Output,
): Promise<void> {
  const rows = await loadTrash(api);
  const found = rows.filter(({ id, name }) => id === nameOrId || name === nameOrId);
  const [only] = found;
  if (!only) throw new ApiError(`The trash has no workflow “${nameOrId}”.`);
  if (found.length > 1) throw new ApiError(`The trash has several workflows “${nameOrId}”: use an id.`);
  const { id, name, active } = await take(
    api,
    api.client.POST('/workflows/{id}/restore', { params: { path: { id: only.id } }, body: { activate } }),
  );
  output.give({ id, name, active }, [`${name}: restored, ${active ? 'active' : 'not active'}`]);
}

async function loadTrash(api: Api) {
  const rows = [];
  for (let cursor: string | undefined; ;) {
    const query = { limit: 100, ...(cursor === undefined ? {} : { cursor }) };
    const page = await take(api, api.client.GET('/trash', { params: { query } }));
    rows.push(...page.data);
    if (page.next_cursor === null) return rows;
    cursor = page.next_cursor;
  }
}
