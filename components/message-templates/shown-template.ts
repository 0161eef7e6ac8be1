import type { NamedWorkflow } from '#lib/screens/list-types.ts';
import type { MessageTemplate } from '#lib/messaging/message-templates/schema.ts';
import type { TemplatePreview } from '#lib/messaging/message-templates/schema/preview-template.ts';

/** A row of the list: the server has read the components already. */
export interface ShownTemplate extends Omit<MessageTemplate, 'components'> {
  preview: TemplatePreview;
  /** Whether it can be sent without any value. */
  isPlain: boolean;
  /** Workflows whose drafts send it, in any language. */
  usedBy: NamedWorkflow[];
}
