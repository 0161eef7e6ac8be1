import type { NamedWorkflow } from '#lib/screens/list-types.ts';
import type { MessageTemplate } from '#lib/messaging/message-templates/schema.ts';
import type { TemplatePreview } from '#lib/messaging/message-templates/schema/preview-template.ts';

/** A row of the list, with the components parsed by the server. */
export interface ShownTemplate extends Omit<MessageTemplate, 'components'> {
  preview: TemplatePreview;
  /** Whether it can be sent without values. */
  isPlain: boolean;
  /** Parts that the form would lose, in words; empty: it can be edited and duplicated here. */
  uneditable: string[];
  /** Workflows whose drafts send it, in any language. */
  usedBy: NamedWorkflow[];
}
