import type { PickerOption } from '#lib/screens/editor-types.ts';
import { isPlain } from '#lib/messaging/message-templates/schema/describe-template.ts';

/** An approved message template that can be sent as it is, without anything to fill in: its name. */
export const suggestTemplate = (options: readonly PickerOption[]): string | undefined =>
  options.find(({ template }) => template && isPlain(template))?.value;
