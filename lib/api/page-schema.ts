import * as z from 'zod';

export const pageQuerySchema = z.strictObject({
  limit: z.coerce.number().int().min(1).max(100).default(25).meta({ description: 'Rows of a page.' }),
  cursor: z.string().max(200).optional().meta({ description: 'The next_cursor of the previous page.' }),
});

/** A page of a list. */
export const pageOf = <Item extends z.ZodType>(item: Item) =>
  z.strictObject({
    data: z.array(item),
    next_cursor: z.string().nullable().meta({
      description: 'Null on the last page. Earlier pages may be short, even empty.',
    }),
  });
