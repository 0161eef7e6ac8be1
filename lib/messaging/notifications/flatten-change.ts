import type { JsonObject } from '#lib/core/json/value.ts';
import { flattenContent, flattenMessage } from './flatten-message.ts';
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
      return {
        message_id: messageId,
        status,
        recipient,
        ...(change.userId === '' ? {} : { recipient_user_id: change.userId }),
        phone_number_id: phoneNumberId,
        timestamp: toUnixSeconds(at),
        errors,
        ...(change.pricing === null ? {} : { pricing: { ...change.pricing } }),
      };
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
    case 'preference': {
      const { from, userId, category, preference, detail, phoneNumberId, at } = change;
      return {
        from,
        ...(userId === '' ? {} : { from_user_id: userId }),
        category,
        preference,
        detail,
        phone_number_id: phoneNumberId,
        timestamp: toUnixSeconds(at),
      };
    }
    case 'echo': {
      const { messageId, recipient, userId, phoneNumberId, displayPhoneNumber, at } = change;
      return {
        message_id: messageId,
        recipient,
        ...(userId === '' ? {} : { recipient_user_id: userId }),
        timestamp: toUnixSeconds(at),
        phone_number_id: phoneNumberId,
        display_phone_number: displayPhoneNumber,
        ...flattenContent(change.raw),
      };
    }
    case 'other':
      return { field: change.field, phone_number_id: change.phoneNumberId };
  }
}
