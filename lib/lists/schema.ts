// Lists as the API and the screens have them. Isomorphic.
import * as z from 'zod';

/** `checking`: its rows are checked, `ready`: it was never started. */
export const LIST_STATES = ['checking', 'ready', 'running', 'paused', 'stopped', 'finished'] as const;
export type ListState = (typeof LIST_STATES)[number];

export const ROW_STATES = ['waiting', 'skipped', 'running', 'succeeded', 'failed', 'cancelled'] as const;
export type RowState = (typeof ROW_STATES)[number];

export const SKIP_REASONS = ['invalid', 'duplicate', 'opted_out', 'on_hold', 'over_tier', 'stopped'] as const;
export type SkipReason = (typeof SKIP_REASONS)[number];

export const MAX_COLUMNS = 100;
export const MAX_LIST_ROWS = 200_000;
/** Of an uploaded file. */
export const MAX_LIST_BYTES = 64 * 1024 * 1024;

const countrySchema = z
  .string()
  .regex(/^[A-Z]{2}$/, 'Enter a country as two capital letters, such as DE, or nothing.')
  .nullable();

export const mappingSchema = z
  .strictObject({
    recipient: z.string().meta({ description: 'The column with the number of the customer.' }),
    default_country: countrySchema.meta({
      description: 'Of numbers without a country code, such as `DE`; null: every number has one.',
    }),
    variables: z.record(z.string().min(1).max(200), z.string()).meta({
      description:
        'The column of each field that the workflow receives in the body; a dot makes an object, as in `customer.name`.',
    }),
  })
  .meta({ id: 'ListMapping' });
export type ListMapping = z.output<typeof mappingSchema>;

const countsSchema = z.strictObject(
  Object.fromEntries(ROW_STATES.map((state) => [state, z.int()])) as Record<RowState, z.ZodInt>,
);
export type RowCounts = Readonly<Record<RowState, number>>;

export const listSchema = z
  .strictObject({
    id: z.string(),
    workflow_id: z.string(),
    name: z.string(),
    state: z.enum(LIST_STATES),
    problem: z.string().nullable().meta({ description: 'Why it paused on its own.' }),
    columns: z.array(z.string()),
    mapping: mappingSchema,
    row_count: z.int(),
    checked_rows: z.int().meta({ description: 'Of `row_count`, while it is being checked.' }),
    counts: countsSchema.meta({ description: 'Rows by state.' }),
    created_at: z.string(),
    started_at: z.string().nullable(),
    ended_at: z.string().nullable(),
  })
  .meta({ id: 'List' });
export type List = z.output<typeof listSchema>;

export const listRowSchema = z
  .strictObject({
    line: z.int().meta({ description: 'In the file; the names of the columns are line 1.' }),
    recipient: z.string().nullable().meta({ description: 'The number; null: it is not valid.' }),
    values: z.record(z.string(), z.unknown()).meta({ description: 'By column.' }),
    state: z.enum(ROW_STATES),
    skipped: z.enum(SKIP_REASONS).nullable().meta({ description: 'Why it was skipped.' }),
    run_id: z.string().nullable(),
  })
  .meta({ id: 'ListRow' });
export type ListRow = z.output<typeof listRowSchema>;

export const newListSchema = z.strictObject({
  name: z.string().trim().min(1).max(200).default('List'),
  rows: z
    .array(z.record(z.string(), z.unknown()))
    .min(1, 'Send at least one row.')
    .max(MAX_LIST_ROWS)
    .meta({ description: 'Each row an object; the names of its fields are the columns.' }),
});

const flag = z
  .enum(['true', 'false'])
  .default('false')
  .transform((text) => text === 'true');

/** Of an upload. */
export const uploadQuerySchema = z.strictObject({
  name: z.string().trim().min(1).max(200).optional().meta({ description: 'Of a CSV file.' }),
  recipient: z
    .string()
    .optional()
    .meta({ description: 'The column of the number; left out: it is recognized.' }),
  default_country: countrySchema.default(null),
  start: flag.meta({ description: 'Start it as soon as its rows are checked.' }),
  again: flag.meta({ description: 'Make another list of rows that were uploaded before.' }),
});

export const retryListSchema = z.strictObject({
  repeat_unknown: z.boolean().default(false).meta({
    description: 'Also rows of which it is not known whether a message was sent: it may be sent twice.',
  }),
});

export interface Forecast {
  /** Rows that would start a run. */
  people: number;
  /** Of message templates by the platform's category, at most: each sending task once; `null` is a free text. */
  messages: { category: string | null; count: number }[];
  /** Customers whom the number may still start a conversation with within 24 hours; null: unlimited or unknown. */
  tierLeft: number | null;
  /** Messages a second of the number. */
  perSecond: number;
  /** How long starting every row takes. */
  seconds: number;
}
