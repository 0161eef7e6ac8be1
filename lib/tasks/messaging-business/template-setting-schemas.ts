// The settings that a message template is filled with, as every task that sends one has them.
import * as z from 'zod';
import { variableText } from '#lib/tasks/setting-values.ts';

/** A list, or an object by names; as a text it may hold variables inside of its strings, or be one variable that gives all. */
export const templateParameters = () =>
  z.union([variableText(), z.array(z.unknown()), z.record(z.string(), z.unknown())]);

export const templateValues = () => z.union([variableText(), z.record(z.string(), z.unknown())]);

export const PARAMETERS_HELP =
  'A JSON array of strings: the first replaces {{1}} of the template, the second {{2}}, and so on. Of a template whose parameters have names an object, such as {"first_name": "…"}.';

export const BUTTON_HELP = 'Value for {{1}} in the button URL, or the code of a coupon button.';

export const VALUES_HELP =
  'A JSON object with what the template takes besides, such as the cards of a carousel, by keys: card_0_header, card_0_body_1, card_0_button_1, button_1, button_0_token, button_0_data, expires_at.';
