import * as z from 'zod';
import { isId } from '#lib/core/ids.ts';

/** An id as a list's filter. */
export const idFilter = z.string().refine(isId, 'This is not an id: ids are UUIDs.');

/** A task id in a path; 0, which no task has, for an invalid one. */
export const toTaskId = (text: string): number => (/^[1-9]\d{0,8}$/.test(text) ? Number(text) : 0);
