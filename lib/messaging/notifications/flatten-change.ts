import type { JsonObject } from '#lib/core/json/value.ts';
import { flattenMessage } from './flatten-message.ts';
import type { Change } from './notification-types.ts';
import { toUnixSeconds } from './read-field.ts';

/**
 * A change as the workflows that subscribe to it receive it, and as it is kept where none does: a flat object with the
 * fields that mark_as_read and send_text need (spec, Events 2), and the platform's own one as `raw`.
 */
export function flattenChange(change: Change, connectionId: string): JsonObject {
  const { kind, businessAccountId, raw } = change;
  return {
    kind,
    ...ownFields(change),
    business_account_id: businessAccountId,
    connection_id: connectionId,
    raw,
  };
}

function ownFields(change: Change): JsonObject {
  switch (change.kind) {
    case 'message':
      return flattenMessage(change);
    case 'status': {
      const { messageId, status, recipient, phoneNumberId, at } = change;
      const errors = change.errors.map((error) => ({ ...error }));
      const ids = { message_id: messageId, status, recipient, phone_number_id: phoneNumberId };
      return { ...ids, timestamp: toUnixSeconds(at), errors };
    }
    case 'template': {
      const { templateId, name, language, status, reason } = change;
      return {
        template_id: templateId,
        template_name: name,
        template_language: language,
        status,
        reason,
      };
    }
    case 'other':
      return { field: change.field, phone_number_id: change.phoneNumberId };
  }
}
