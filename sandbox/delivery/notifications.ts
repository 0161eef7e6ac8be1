import type { Message, Phone, StatusStep, Template } from '../model.ts';
import { PRODUCT } from '../product.ts';
import { hidesNumber, userIdOf } from '../user-ids.ts';
import { customerName, type World } from '../world.ts';
import { publish } from './publish.ts';

/** `statuses` of the field `messages`. */
export function notifyStatus(world: World, message: Message, step: StatusStep): void {
  const phone = world.phones.get(message.phoneId);
  if (!phone) return;
  const category = categoryOf(world, message);
  const isFree = category === 'service';
  const ids = {
    ...(hidesNumber(world, message.customer) ? {} : { wa_id: message.customer }),
    user_id: userIdOf(message.customer),
  };
  const hasFailed = step.status === 'failed';
  const conversation = { id: `${message.phoneId}${message.customer}`.slice(-32), origin: { type: category } };
  publish(world, phone.accountId, 'messages', {
    messaging_product: PRODUCT,
    metadata: metadataOf(phone),
    ...(hasFailed
      ? {}
      : { contacts: [{ profile: { name: customerName(world, message.customer) }, ...ids }] }),
    statuses: [
      {
        id: message.id,
        status: step.status,
        timestamp: String(step.timestampSeconds),
        ...(ids.wa_id === undefined ? {} : { recipient_id: ids.wa_id }),
        ...(hasFailed && message.payload['to'] !== undefined ? {} : { recipient_user_id: ids.user_id }),
        ...(hasFailed || step.status === 'played'
          ? {}
          : {
              conversation,
              pricing: {
                billable: !isFree,
                pricing_model: 'PMP',
                type: isFree ? 'free_customer_service' : 'regular',
                category,
              },
            }),
        ...(step.errors ? { errors: step.errors } : {}),
        ...callbackDataOf(message),
      },
    ],
  });
}

/** The callback data of a message is returned with its statuses. */
function callbackDataOf({ payload }: Message): object {
  const data = payload['biz_opaque_callback_data'];
  return data === undefined ? {} : { biz_opaque_callback_data: data };
}

/** The pricing category of the message: for a template its category. */
function categoryOf(world: World, { templateName, phoneId }: Message): string {
  if (templateName === null) return 'service';
  const accountId = world.phones.get(phoneId)?.accountId;
  const template = [...world.templates.values()].find(
    (each) => each.accountId === accountId && each.name === templateName,
  );
  return (template?.category ?? 'UTILITY').toLowerCase();
}

/** `messages` of the field `messages`: a customer's message. */
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

/** `template_category_update`, after the change. */
export function notifyCategory(world: World, template: Template): void {
  publish(world, template.accountId, 'template_category_update', {
    message_template_id: Number(template.id),
    message_template_name: template.name,
    message_template_language: template.language,
    previous_category: template.previousCategory,
    new_category: template.category,
  });
}

/** The same a day before the change. */
export function notifyUpcomingCategory(world: World, template: Template): void {
  publish(world, template.accountId, 'template_category_update', {
    message_template_id: Number(template.id),
    message_template_name: template.name,
    message_template_language: template.language,
    new_category: template.category,
    correct_category: template.correctCategory,
    category_update_timestamp: world.clock.nowSeconds() + 86_400,
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

/** `metadata` of the field `messages`. */
export function metadataOf(phone: Phone): { display_phone_number: string; phone_number_id: string } {
  return { display_phone_number: phone.displayPhoneNumber.replaceAll(/\D/g, ''), phone_number_id: phone.id };
}
