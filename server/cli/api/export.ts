// `patchbay export`: writes workflows into files, one each.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Output } from '../output.ts';
import { type Api, ApiError } from './api.ts';
import { toFile, writeFile } from './workflow-file.ts';
import { findNamed, listConnections, listWorkflows } from './workflows.ts';

export interface ExportOptions {
  folder?: string;
  all?: boolean;
}

/**
 * Writes drafts into files named for the workflows. @throws ApiError when a name matches none, or several, or a file cannot be
 * written
 */
export async function exportWorkflows(
  api: Api,
  names: readonly string[],
  { folder, all = false }: ExportOptions,
  output: Output,
): Promise<void> {
  if (folder === undefined) throw new ApiError('Add --folder, where the files go.');
  if (all === names.length > 0) throw new ApiError('Name the workflows to export, or use --all.');
  const [workflows, connections] = await Promise.all([listWorkflows(api), listConnections(api)]);
  const chosen = all ? workflows.toReversed() : names.map((name) => findNamed(workflows, name));
  const target = resolve(folder);
  write(target, () => mkdirSync(target, { recursive: true }));
  const taken = new Set<string>();
  const written = chosen.map((workflow) => {
    const isOnly = workflows.filter(({ name }) => name === workflow.name).length === 1;
    const file = { ...(isOnly ? {} : { id: workflow.id }), ...toFile(workflow, connections) };
    const path = join(target, `${freeName(workflow.name, taken)}.json`);
    write(path, () => writeFileSync(path, writeFile(file)));
    return { id: workflow.id, name: workflow.name, file: path };
  });
  output.give(
    written,
    written.map(({ name, file }) => `${name} → ${file}`),
  );
}

/** @throws ApiError when it cannot be written */
function write(path: string, toDisk: () => void): void {
  try {
    toDisk();
  } catch (error) {
    throw new ApiError(`${path} cannot be written: ${(error as Error).message}`, undefined, { cause: error });
  }
}

function freeName(name: string, taken: Set<string>): string {
  const base =
    name
      .normalize('NFKD')
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '-')
      .replace(/^-|-$/g, '')
      .slice(0, 80) || 'workflow';
  let free = base;
  for (let count = 2; taken.has(free); count += 1) free = `${base}-${count}`;
  taken.add(free);
  return free;
}
