import * as z from 'zod';
import type { Problem } from '#lib/core/errors.ts';

/** What is wrong with the shape of a component. @param types what is said of one that has no such type */
export function explainIssue(
  issue: z.core.$ZodIssue,
  index: number,
  types = 'The type must be HEADER, BODY, FOOTER or BUTTONS.',
): Problem {
  const path = z.core.toDotPath(['components', index, ...issue.path]);
  if (issue.code === 'unrecognized_keys')
    return { path, message: `Remove ${issue.keys.join(', ')}: this field is not allowed here.` };
  if (issue.code === 'invalid_union') return { path, message: types };
  if (issue.code === 'invalid_value')
    return { path, message: `Choose one of ${issue.values.map(String).join(', ')}.` };
  return { path, message: issue.message };
}
