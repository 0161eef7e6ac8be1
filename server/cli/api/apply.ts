// `patchbay apply`: creates and updates workflows of an installation from files.
import { globSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type * as z from 'zod';
import { toDotPath } from 'zod/v4/core';
import { describeIssue } from '#lib/core/describe-issue.ts';
import { AppError, type Problem } from '#lib/core/errors.ts';
import { checkGraph, toGraph } from '#lib/workflows/check-graph.ts';
import { draftSchema } from '#lib/workflows/schema.ts';
import type { Output } from '../output.ts';
import { type Api, ApiError, take } from './api.ts';
import { type ApplyPlan, planApply } from './plan-apply.ts';
import { readReplacements } from './read-replacements.ts';
import { type Drawing, listConnectionNames, readFile, type WorkflowFile } from './workflow-file.ts';
import { listConnections, listWorkflows } from './workflows.ts';

export interface ApplyOptions {
  dryRun?: boolean;
  publish?: boolean;
  /** Exit with 2 if anything changes. */
  exitCode?: boolean;
  /** `<name in the file>=<name here>` */
  connection?: string[];
}

interface Applied {
  file: string;
  name: string;
  action: ApplyPlan['action'];
  id: string | null;
  published: boolean;
  diff: string;
  notes: string[];
}

/** @throws ApiError before anything is written when a file cannot be applied @returns whether anything changed */
export async function applyFiles(
  api: Api,
  paths: readonly string[],
  options: ApplyOptions,
  output: Output,
): Promise<boolean> {
  const files = paths.flatMap(listFiles);
  if (files.length === 0) throw new ApiError('There are no .json files in this folder.');
  const [workflows, connections] = await Promise.all([listWorkflows(api), listConnections(api)]);
  const contents = files.map((file) => ({ file, content: load(file) }));
  const replacements = readReplacements(options.connection ?? [], {
    inFiles: contents.flatMap(({ content }) => listConnectionNames(content)),
    here: connections.map(({ name }) => name),
  });
  const target = { workflows, connections, replacements };
  const plans = contents.map(({ file, content }) => ({ file, plan: planApply(content, file, target) }));
  refuseTwice(plans);
  await refuseWrong(plans, options);
  const applied: Applied[] = [];
  for (const { file, plan } of plans) applied.push(await applyPlan(api, file, plan, options));
  output.give(
    applied,
    applied.flatMap((each) => describe(each, options.dryRun === true)),
  );
  return applied.some(({ action }) => action !== 'unchanged');
}

function listFiles(path: string): string[] {
  const found = statSync(path, { throwIfNoEntry: false });
  if (!found) throw new ApiError(`There is no file or folder ${path}.`);
  return found.isDirectory()
    ? globSync('**/*.json', { cwd: path })
        .sort()
        .map((file) => join(path, file))
    : [path];
}

/** @throws ApiError when it cannot be read, or is no workflow */
function load(file: string): WorkflowFile {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw new ApiError(`${file} cannot be read: ${(error as Error).message}`, undefined, { cause: error });
  }
  return readFile(text, file);
}

function refuseTwice(plans: readonly { file: string; plan: ApplyPlan }[]): void {
  const known = new Map<string, string>();
  for (const { file, plan } of plans) {
    const key = plan.current?.id ?? plan.drawing.name;
    const other = known.get(key);
    if (other !== undefined)
      throw new ApiError(`${other} and ${file} are the same workflow, “${plan.drawing.name}”.`);
    known.set(key, file);
  }
}

/** All problems of the files that can be found without the installation: the API would report them one file at a time. */
async function refuseWrong(
  plans: readonly { file: string; plan: ApplyPlan }[],
  { publish = false }: ApplyOptions,
): Promise<void> {
  const changing = plans.filter(({ plan }) => plan.action !== 'unchanged');
  const found = await Promise.all(
    changing.map(async ({ file, plan }) =>
      (await findProblems(plan.drawing, publish)).map(({ path, message }) => `${file}: ${path}: ${message}`),
    ),
  );
  const lines = found.flat();
  if (lines.length > 0) throw new ApiError(['Nothing was changed.', ...lines].join('\n'));
}

async function applyPlan(
  api: Api,
  file: string,
  { action, current, drawing, diff, notes }: ApplyPlan,
  { dryRun = false, publish = false }: ApplyOptions,
): Promise<Applied> {
  const publishes = publish && (action !== 'unchanged' || current?.published_version === null);
  const result = { file, name: drawing.name, action, diff, notes, published: publishes };
  if (dryRun || (action === 'unchanged' && !publishes)) return { ...result, id: current?.id ?? null };
  try {
    if (current === null) {
      const body = { ...drawing, publish };
      const { id, warnings } = await take(api, api.client.POST('/workflows', { body }));
      return { ...result, id, notes: [...notes, ...warnings] };
    }
    const params = { path: { id: current.id } };
    if (action === 'update') {
      const body = { ...drawing, draft_revision: current.draft_revision };
      await take(api, api.client.PUT('/workflows/{id}', { params, body }));
    }
    if (!publishes) return { ...result, id: current.id };
    const { warnings } = await take(api, api.client.POST('/workflows/{id}/publish', { params }));
    return { ...result, id: current.id, notes: [...notes, ...warnings] };
  } catch (error) {
    throw error instanceof ApiError
      ? new ApiError(`${file}: ${error.message}`, error.status, { cause: error })
      : error;
  }
}

function describe({ action, name, published, diff, notes }: Applied, dryRun: boolean): string[] {
  if (action === 'unchanged' && !published) return [`${name}: unchanged`];
  const verb = { create: 'create', update: 'update', unchanged: '' }[action];
  const done = { create: 'created', update: 'updated', unchanged: '' }[action];
  const steps = (dryRun ? [verb, published ? 'publish' : ''] : [done, published ? 'published' : ''])
    .filter((step) => step !== '')
    .join(' and ');
  return [
    `${name}: ${dryRun ? 'would ' : ''}${steps}`,
    ...notes.map((note) => `  ${note}`),
    ...(dryRun && diff !== '' ? [diff] : []),
  ];
}

/** Problems that prevent storing or publishing a workflow: those that the API would report, without the API. */
async function findProblems(drawing: Drawing, publish: boolean): Promise<readonly Problem[]> {
  const parsed = draftSchema.safeParse(drawing, {
    error: (issue) => describeIssue(issue as z.core.$ZodIssue, issue.input),
  });
  if (!parsed.success)
    return parsed.error.issues.map(({ path, message }) => ({ path: toDotPath(path), message }));
  try {
    await checkGraph(toGraph(parsed.data), publish ? 'publish' : 'draft');
    return [];
  } catch (error) {
    if (error instanceof AppError) return error.problems;
    throw error;
  }
}
