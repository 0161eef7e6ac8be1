'use server';
import { action, idSchema } from '#lib/identity/auth/authorized-action.ts';
import {
  deleteList,
  mapList,
  pauseList,
  resumeList,
  retryList,
  startList,
  stopList,
} from '#lib/lists/change-list.ts';
import { mappingSchema, retryListSchema } from '#lib/lists/schema.ts';

/** Maps columns to variables; the rows are checked again. */
export const changeMapping = action(
  'editor',
  idSchema.extend({ mapping: mappingSchema }),
  async (ctx, input) => void (await mapList(ctx, input)),
);

export const start = action('editor', idSchema, async (ctx, input) => void (await startList(ctx, input)));

export const pause = action('editor', idSchema, async (ctx, input) => void (await pauseList(ctx, input)));

export const resume = action('editor', idSchema, async (ctx, input) => void (await resumeList(ctx, input)));

/** Rows that have not started get no run any more. */
export const stop = action('editor', idSchema, async (ctx, input) => void (await stopList(ctx, input)));

/** Failed rows continue at the task that failed. */
export const retryFailed = action(
  'editor',
  retryListSchema.extend(idSchema.shape),
  async (ctx, input) => void (await retryList(ctx, input)),
);

export const remove = action('editor', idSchema, deleteList);
