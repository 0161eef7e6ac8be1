import * as z from 'zod';
import { isId } from '#lib/core/ids.ts';

/** An id as a filter of a list. */
export const idFilter = z.string().refine(isId, 'This is not an id: ids are UUIDs.');
