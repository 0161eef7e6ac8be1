import * as z from 'zod';

const MAX_TAGS = 10;
const MAX_TAG_CHARACTERS = 40;

/** The tags of a workflow: short words, each once whatever its case, the first spelling counts. */
export const tagsSchema = z
  .array(
    z
      .string()
      .trim()
      .min(1, 'Enter a tag.')
      .max(MAX_TAG_CHARACTERS, `At most ${MAX_TAG_CHARACTERS} characters.`)
      .refine((tag) => !tag.includes('\0') && !tag.includes(','), 'A tag has no comma.'),
  )
  .max(MAX_TAGS, `At most ${MAX_TAGS} tags.`)
  .transform((tags) =>
    [...new Map([...tags].reverse().map((tag) => [tag.toLocaleLowerCase('en'), tag])).values()].reverse(),
  );
