import type { z } from 'zod';
import { describeIssue } from '#lib/core/describe-issue.ts';
import type { Problem } from '#lib/core/errors.ts';
import type { WorkflowTask } from '#lib/engine/graph-types.ts';
import { VariableSyntaxError } from '#lib/variables/errors.ts';
import { parseVariableText } from '#lib/variables/parse.ts';
import { listSecretProblems } from './named-secrets.ts';
import { findTaskDefinition } from './registry.ts';
import { listMissingSecrets } from './setting-secrets.ts';
import { isMissing } from './setting-values.ts';
import type { CheckMore, TaskDefinition } from './task-definition.ts';
import { joinPath, listVariableFields } from './variable-fields.ts';

export interface CheckedSettings {
  /** With defaults; undefined when the schema refuses them. */
  settings: Record<string, unknown> | undefined;
  /** Paths start with `settings`, as in `settings.conditions[0].left`. */
  problems: Problem[];
}

/** By task type; they also get settings that the schema refuses, so that one problem does not hide another. */
export type FurtherChecks = ReadonlyMap<string, CheckMore>;

/**
 * Checks a task's settings and the variable texts in them.
 * @param mode `draft` reports only definite errors (unknown fields, wrong types, invalid variable texts), not missing values;
 * `publish` reports everything. @param furtherChecks checks that need heavy libraries (`loadFurtherChecks`).
 */
export function checkSettings(
  definition: TaskDefinition,
  settings: unknown,
  mode: 'draft' | 'publish',
  furtherChecks?: FurtherChecks,
): CheckedSettings {
  const result = definition.settings.safeParse(settings);
  const issues = result.success ? [] : result.error.issues;
  const problems = issues
    .filter(({ path }) => mode === 'publish' || path.length === 0 || !isMissing(valueAt(settings, path)))
    .flatMap((issue) => toProblems(issue, settings));
  problems.push(...checkTexts(definition, settings), ...listSecretProblems(definition, settings));
  if (mode === 'publish')
    problems.push(
      ...(definition.publishCheck?.(settings) ?? []),
      ...listMissingSecrets(definition, settings),
    );
  problems.push(...(furtherChecks?.get(definition.type)?.(settings) ?? []));
  return { settings: result.data, problems };
}

/** Every invalid variable text, with its line and column (docs/variables.md). */
function checkTexts(definition: TaskDefinition, settings: unknown): Problem[] {
  return listVariableFields(definition.settings, settings).flatMap(({ path, text, keepPlaceholders }) => {
    try {
      parseVariableText(text, { keepPlaceholders });
      return [];
    } catch (error) {
      if (error instanceof VariableSyntaxError) return [{ path, message: error.message }];
      throw error;
    }
  });
}

function toProblems(issue: z.core.$ZodIssue, settings: unknown): Problem[] {
  const path = issue.path.reduce<string>(joinPath, 'settings');
  if (issue.code !== 'unrecognized_keys')
    return [{ path, message: describeIssue(issue, valueAt(settings, issue.path)) }];
  return issue.keys.map((key) => ({
    path: joinPath(path, key),
    message: 'Unknown setting: remove it.',
  }));
}

function valueAt(settings: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (value, key) => (value as Record<PropertyKey, unknown> | null | undefined)?.[key],
    settings,
  );
}

const loaded = new Map<string, CheckMore>();

/**
 * The further checks of task types that some of these tasks need, for `checkSettings`; undefined while they need none. Each is
 * loaded once, and the result is always the same object.
 */
export async function loadFurtherChecks(
  tasks: readonly Pick<WorkflowTask, 'type' | 'settings'>[],
): Promise<FurtherChecks | undefined> {
  let isNeeded = false;
  for (const { type, settings } of tasks) {
    const check = findTaskDefinition(type)?.furtherCheck;
    if (!check?.isNeeded(settings)) continue;
    isNeeded = true;
    if (!loaded.has(type)) loaded.set(type, await check.load());
  }
  return isNeeded ? loaded : undefined;
}
