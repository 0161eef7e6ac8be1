import type { Message, Phone, StatusStep, Template } from '../model.ts';
import { PRODUCT } from '../product.ts';
import { hidesNumber, userIdOf } from '../user-ids.ts';
import { customerName, type World } from '../world.ts';
import { publish } from './publish.ts';

/** `statuses` of the field `messages`. */
export function notifyStatus(world: World, message: Message, step: StatusStep): void {
  const phone = world.phones.get(message.phoneId);
  if (!phone) return;
  const category = message.type === 'template' ? 'utility' : 'service';
  const conversation = { id: `${message.phoneId}${message.customer}`.slice(-32), origin: { type: category } };
  publish(world, phone.accountId, 'messages', {
    messaging_product: PRODUCT,
    metadata: metadataOf(phone),
    statuses: [
      {
        id: message.id,
        status: step.status,
        timestamp: String(step.timestampSeconds),
        ...(hidesNumber(world, message.customer)
          ? { recipient_user_id: userIdOf(message.customer) }
          : { recipient_id: message.customer }),
        ...(step.status === 'failed'
          ? {}
          : { conversation, pricing: { billable: true, pricing_model: 'PMP', category } }),
        ...(step.errors ? { errors: step.errors } : {}),
      },
    ],
  });
}

/** `messages` of the field `messages`: what a customer sent. */
export function notifyMessage(world: World, message: Message): void {
  const phone = world.phones.get(message.phoneId);
  if (!phone) return;
  publish(world, phone.accountId, 'messages', {
    messaging_product: PRODUCT,
    metadata: metadataOf(phone),
    contacts: [
      {
        profile: { name: customerName(world, message.customer) },
        ...(hidesNumber(world, message.customer) ? {} : { wa_id: message.customer }),
        user_id: userIdOf(message.customer),
      },
    ],
    messages: [message.payload],
  });
}

/** `message_template_status_update`. */
export function notifyTemplate(world: World, template: Template): void {
  publish(world, template.accountId, 'message_template_status_update', {
    event: template.status,
    message_template_id: Number(template.id),
    message_template_name: template.name,
    message_template_language: template.language,
    reason: template.rejectedReason,
  });
}

/** `phone_number_quality_update`. */
export function notifyQuality(world: World, phone: Phone, before: Phone['qualityRating']): void {
  const order = ['GREEN', 'YELLOW', 'RED'];
  const worse = order.indexOf(phone.qualityRating) > order.indexOf(before);
  publish(world, phone.accountId, 'phone_number_quality_update', {
    display_phone_number: phone.displayPhoneNumber.replaceAll(/\D/g, ''),
    event: worse ? 'FLAGGED' : 'UNFLAGGED',
    current_limit: phone.tier,
  });
}

function metadataOf(phone: Phone): { display_phone_number: string; phone_number_id: string } {
  return { display_phone_number: phone.displayPhoneNumber.replaceAll(/\D/g, ''), phone_number_id: phone.id };
}
