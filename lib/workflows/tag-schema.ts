import * as z from 'zod';
import { CONTROLS_IN_NAME, isPlainName } from '#lib/core/plain-name.ts';

const MAX_TAGS = 10;
const MAX_TAG_CHARACTERS = 40;

/** The tags of a workflow: short words, unique regardless of case; the first spelling wins. */
export const tagsSchema = z
  .array(
    z
      .string()
      .trim()
      .min(1, 'Enter a tag.')
      .max(MAX_TAG_CHARACTERS, `At most ${MAX_TAG_CHARACTERS} characters.`)
      .refine((tag) => !tag.includes(','), 'A tag has no comma.')
      .refine(isPlainName, CONTROLS_IN_NAME),
  )
  .max(MAX_TAGS, `At most ${MAX_TAGS} tags.`)
  .transform((tags) =>
    [...new Map([...tags].reverse().map((tag) => [tag.toLocaleLowerCase('en'), tag])).values()].reverse(),
  );
