import type { PickerOption } from '#lib/screens/editor-types.ts';
import { describeTemplate } from '#lib/messaging/message-templates/schema/describe-template.ts';

/** The name of an approved message template that can be sent without values. */
export function suggestTemplate(options: readonly PickerOption[]): string | undefined {
  return options.find(({ template }) => {
    if (!template) return false;
    const { bodyCount, header, buttonIndex } = describeTemplate({ ...template, status: 'APPROVED' });
    return bodyCount === 0 && header === null && buttonIndex === null;
  })?.value;
}
