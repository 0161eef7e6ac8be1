// The API's checks and variables of a draft.
import * as z from 'zod';

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
