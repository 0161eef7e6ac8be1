import * as z from 'zod';
import { isId } from '#lib/core/ids.ts';

/** An id as a list's filter. */
export const idFilter = z.string().refine(isId, 'This is not an id: ids are UUIDs.');

/** A task id in a path; 0, which no task has, for an invalid one. */
export const toTaskId = (text: string): number => (/^[1-9]\d{0,8}$/.test(text) ? Number(text) : 0);

export const pageQuerySchema = z.strictObject({
  limit: z.coerce.number().int().min(1).max(100).default(25).meta({ description: 'Rows of a page.' }),
  cursor: z.string().max(200).optional().meta({ description: 'The next_cursor of the previous page.' }),
});

const instant = z.iso.datetime({ offset: true }).optional();

/** A page of events or runs, which may be searched. */
export const searchQuerySchema = pageQuerySchema.extend({
  search: z.string().trim().max(200).optional().meta({
    description:
      'A text in the body or the headers of the event, an id, or the value of its “Find by” (search_by). Pages may be short, even empty, while next_cursor continues the search; with the full-text index (`patchbay search on`), texts of three characters or more are found whatever their age.',
  }),
  from: instant.meta({ description: 'Only those that arrived at this time or later.' }),
  to: instant.meta({ description: 'Only those that arrived before this time.' }),
});

/** A page of a search, as lists answer it. */
export const toPage = <Item>({ data, next_cursor }: { data: Item[]; next_cursor: string | null }) => ({
  data,
  next_cursor,
});

/** A page of a list. */
export const pageOf = <Item extends z.ZodType>(item: Item) =>
  z.strictObject({
    data: z.array(item),
    next_cursor: z.string().nullable().meta({
      description: 'Null on the last page. Earlier pages may be short, even empty.',
    }),
  });

// The API's checks and variables of a draft.

export const draftCheckSchema = z
  .strictObject({
    can_publish: z.boolean().meta({
      description: 'No errors were found. Publishing also asks the platform about what tasks use.',
    }),
    problems: z.array(
      z.strictObject({
        task_id: z.int().nullable().meta({ description: 'Null when it concerns the whole workflow.' }),
        field: z.string().nullable().meta({ description: 'Such as `settings.url`.' }),
        message: z.string(),
        severity: z.enum(['error', 'warning']).meta({
          description:
            'Errors keep a draft from being published; warnings say that something will be empty, or may never arrive.',
        }),
      }),
    ),
    changes: z.int().meta({ description: 'How much publishing would change; 0 while nothing is published.' }),
  })
  .meta({ id: 'DraftCheck' });

export const variablesSchema = z.strictObject({
  data: z.array(
    z
      .strictObject({
        task_id: z
          .int()
          .nullable()
          .meta({ description: 'The task whose output it is; null: date and time.' }),
        from: z.string().meta({ description: 'The name of that task.' }),
        variable: z.string().meta({ description: 'As a setting holds it, such as `{{task_1_name}}`.' }),
        description: z.string().nullable(),
        sample: z.string().nullable().meta({
          description: 'The start of its value in the sample event; null without one.',
        }),
      })
      .meta({ id: 'Variable' }),
  ),
  sample_event_id: z.string().nullable().meta({ description: 'The event that the samples are from.' }),
});

export type DraftCheck = z.infer<typeof draftCheckSchema>;
export type Variables = z.infer<typeof variablesSchema>;
