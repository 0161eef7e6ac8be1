import type * as z from 'zod';
import { toDotPath } from 'zod/v4/core';
import { describeIssue } from '#lib/core/describe-issue.ts';
import { AppError, type Problem } from '#lib/core/errors.ts';
import { checkGraph, toGraph } from '#lib/workflows/check-graph.ts';
import { draftSchema } from '#lib/workflows/schema.ts';
import type { Drawing } from './workflow-file.ts';

/** Problems that prevent storing or publishing a workflow: those that the API would report, without the API. */
export async function findProblems(drawing: Drawing, publish: boolean): Promise<readonly Problem[]> {
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
