import { isJsonObject } from '#lib/core/json/value.ts';
import { type ReadConversation, toSaidByCustomer } from '#lib/tasks/conversation.ts';
import { toText } from '#lib/variables/to-text.ts';

/** The customer's message that started the run, where one did (docs/messaging.md, Notifications). */
export const readTriggerConversation: ReadConversation = ({ output }) => {
  if (!isJsonObject(output) || output['kind'] !== 'message') return undefined;
  const said = toSaidByCustomer(output, toText(output['message_id']));
  return said && { customer: toText(output['from']), messages: [said] };
};
