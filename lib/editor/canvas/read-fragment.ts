import * as z from 'zod';
import type { Fragment } from './clipboard.ts';

const MAX_TASKS = 500;
const point = z.object({ x: z.number(), y: z.number() });
const id = z.int().min(1);

const fragmentSchema: z.ZodType<Fragment> = z.object({
  patchbay: z.literal('tasks'),
  trigger_id: id.optional(),
  tasks: z
    .array(
      z.object({
        id,
        type: z.string(),
        name: z.string().max(200),
        settings: z.record(z.string(), z.unknown()),
        on_failure: z.enum(['stop', 'continue', 'branch']).optional(),
        if_interrupted: z.enum(['flag', 'retry']).optional(),
        max_attempts: z.int().min(1).max(100).optional(),
        disabled: z.boolean().optional(),
        position: point.optional(),
      }),
    )
    .max(MAX_TASKS),
  edges: z.array(z.object({ from: id, to: id, branch: z.string().optional() })),
  notes: z.array(z.object({ id: z.string(), text: z.string().max(5000), position: point })),
});

/** Parses the clipboard's text; undefined when it contains no copied tasks. */
export function readFragment(text: string): Fragment | undefined {
  try {
    return fragmentSchema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}
