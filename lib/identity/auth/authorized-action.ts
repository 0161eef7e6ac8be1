// Server actions: validated input, an authorized member, and one result shape.

import { unstable_rethrow as rethrowNextSignals } from 'next/navigation';
import * as z from 'zod';
import { toDotPath } from 'zod/v4/core';
import { about } from '#lib/core/log-fields.ts';
import { describeIssue } from '#lib/core/describe-issue.ts';
import { AppError } from '#lib/core/errors.ts';
import { newId } from '#lib/core/ids.ts';
import type { Role } from '#lib/identity/roles/roles.ts';
import type { ActionResult } from './action-types.ts';
import { assertMember, type MemberContext } from './session.ts';

/** The argument of an action on one row. */
export const idSchema = z.strictObject({ id: z.string() });

/**
 * Creates a server action for members with at least a role.
 * @param schema of the one argument, which is validated first
 * @returns a function that never throws: AppErrors become results, all other errors are logged and returned with an id
 */
export function action<Schema extends z.ZodType, Data>(
  minimumRole: Role,
  schema: Schema,
  handler: (ctx: MemberContext, input: z.output<Schema>) => Promise<Data>,
): (input: z.input<Schema>) => Promise<ActionResult<Data>> {
  return async (input) => answer(async () => handler(await assertMember(minimumRole), parse(schema, input)));
}

/** The same for visitors who are not signed in, such as the form of the first start. */
export function openAction<Schema extends z.ZodType, Data>(
  schema: Schema,
  handler: (input: z.output<Schema>) => Promise<Data>,
): (input: z.input<Schema>) => Promise<ActionResult<Data>> {
  return async (input) => answer(() => handler(parse(schema, input)));
}

function parse<Schema extends z.ZodType>(schema: Schema, input: unknown): z.output<Schema> {
  // The schema's own messages are kept.
  const result = schema.safeParse(input, {
    error: (issue) => describeIssue(issue as z.core.$ZodIssue, issue.input),
  });
  if (result.success) return result.data;
  const problems = result.error.issues.map(({ path, message }) => ({
    path: toDotPath(path),
    message,
  }));
  const message = problems.length === 1 ? (problems[0]?.message ?? '') : 'Some fields have problems.';
  throw new AppError('invalid_request', message, { problems });
}

async function answer<Data>(work: () => Promise<Data>): Promise<ActionResult<Data>> {
  try {
    return { ok: true, data: await work() };
  } catch (error) {
    rethrowNextSignals(error);
    if (error instanceof AppError) {
      const { code, message, problems } = error;
      return { ok: false, error: { code, message, problems } };
    }
    return { ok: false, error: { code: 'internal', message: await logUnknown(error), problems: [] } };
  }
}

async function logUnknown(error: unknown): Promise<string> {
  const { logger } = await import('#lib/core/log.ts');
  const requestId = newId();
  logger.error({ err: error, ...about({ requestId }) }, 'A server action failed');
  return `Something went wrong on our side. Request ID: ${requestId}.`;
}
