import { wantsMarketing } from '../delivery/customer-settings.ts';
import { followStatuses } from '../delivery/statuses.ts';
import { newMessageId } from '../ids.ts';
import type { Media, MediaKind, Message, Phone, SentMediaKind, Template } from '../model.ts';
import { MESSAGING_SCOPE, PRODUCT } from '../product.ts';
import { platformNumberOf } from '../special-numbers.ts';
import { isStrict } from '../settings.ts';
import { customerOfUserId, isCustomerNumber } from '../user-ids.ts';
import { addMessage, chatKey, findWindowEnd, type World } from '../world.ts';
import { assertScope } from './access.ts';
import { createDraft, type MediaReference } from './create-draft.ts';
import { assertMediaSize, assertMediaType, fetchMedia } from './fetch-media.ts';
import type { GraphAnswer, GraphCall } from './graph-call.ts';
import { GraphError, invalidParameter } from '../graph-error.ts';
import { assertAccountSends, findLateRefusal, takeFromLimits } from './limits.ts';
import { largestSticker } from './media-rules.ts';
import { type MessageInput, messageSchema } from './message-schema.ts';
import { parseBody } from './read-input.ts';

/** `POST /{phone}/messages` with a message of any type. The checks come in the platform's order. */
export async function sendMessage(call: GraphCall, phone: Phone): Promise<GraphAnswer> {
  const { world } = call;
  assertScope(call, MESSAGING_SCOPE);
  const body = decodeContacts(call.body);
  const input = parseBody(messageSchema, { type: 'text', ...body });
  const customer = readRecipient(input);
  if (phone.status !== 'CONNECTED')
    throw new GraphError(133010, 'The phone number is not registered for sending.');
  const draft = createDraft(world, phone, customer, input);
  const { template } = draft;
  assertAccountSends(world, phone, template);
  assertReachableById(world, input, template);
  const { late: lateWindow } = checkWindow(world, phone, customer, input);
  assertMediaReference(world, phone, draft.media);
  takeFromLimits(world, phone, customer);
  const { media, late: lateMedia } = await resolveMedia(world, phone, draft.media);

  const message: Message = {
    kind: 'message',
    id: newMessageId(customer),
    direction: 'out',
    phoneId: phone.id,
    customer,
    type: input.type,
    payload: body,
    rendered: {
      ...draft.rendered,
      media:
        media && draft.media
          ? {
              kind: shownAs(draft.media.kind),
              mediaId: media.id,
              filename: draft.media.filename ?? media.filename,
            }
          : null,
    },
    templateName: template?.name ?? null,
    status: 'accepted',
    steps: [],
    seenByBusiness: true,
    acceptedAt: world.clock.nowMs(),
  };
  world.typing.delete(chatKey(phone.id, customer));
  addMessage(world, message);
  const isUnwanted = template?.category === 'MARKETING' && !wantsMarketing(world, phone.id, customer);
  const late = lateWindow ?? lateMedia ?? draft.late ?? (isUnwanted ? stoppedMarketing() : null);
  if (template?.pacing === 'held_for_quality_assessment') message.heldFor = template.id;
  else followStatuses(world, message, late ?? findLateRefusal(world, customer, template));
  return {
    messaging_product: PRODUCT,
    contacts: [
      input.to === undefined
        ? { input: input.recipient, user_id: input.recipient }
        : { input: input.to, wa_id: customer },
    ],
    messages: [{ id: message.id, ...(template ? { message_status: template.pacing ?? 'accepted' } : {}) }],
  };
}

/** Strict: authentication templates need the number, a user id is not enough. Throws 131062. */
function assertReachableById(world: World, { to }: MessageInput, template: Template | null): void {
  if (isStrict(world) && to === undefined && template?.category === 'AUTHENTICATION')
    throw new GraphError(131062, 'Authentication templates can be sent to phone numbers only.');
}

/** As in form-encoded calls, `contacts` may also be JSON text. */
function decodeContacts(body: GraphCall['body']): GraphCall['body'] {
  const { contacts } = body;
  if (typeof contacts !== 'string' || !contacts.startsWith('[')) return body;
  try {
    return { ...body, contacts: JSON.parse(contacts) as unknown };
  } catch {
    return body;
  }
}

const shownAs = (kind: SentMediaKind): MediaKind => (kind === 'sticker' ? 'image' : kind);

const stoppedMarketing = (): GraphError =>
  new GraphError(131050, 'The customer has chosen to stop receiving marketing messages from your business.');

/**
 * The customer: the platform's number for the digits of `to`, ignoring plus, spaces, dashes and brackets; without it, the
 * customer of the user id in `recipient`.
 */
function readRecipient({ to, recipient }: MessageInput): string {
  if (to === undefined) {
    if (recipient === undefined) throw invalidParameter('The parameter to is required.');
    const customer = customerOfUserId(recipient);
    if (customer === undefined)
      throw new GraphError(131009, `Param recipient: "${recipient}" is not a user id.`);
    return customer;
  }
  const digits = to.replaceAll(/[\s()+-]/g, '');
  if (!isCustomerNumber(digits))
    throw new GraphError(131009, `Param to: "${to}" is not a phone number with its country code.`);
  return platformNumberOf(digits);
}

/** Spec, Rules 1 and 2: text and media need an open 24-hour window, templates do not. */
function checkWindow(
  world: World,
  phone: Phone,
  customer: string,
  input: MessageInput,
): { late: GraphError | null } {
  if (input.type === 'template') return { late: null };
  const end = findWindowEnd(world, phone.id, customer);
  if (end !== null && world.clock.nowMs() < end) return { late: null };
  const error = new GraphError(
    131047,
    'Message failed to send because more than 24 hours have passed since the customer last replied to this number.',
  );
  if (world.settings.outside_window === 'refuse') throw error;
  return { late: error };
}

function assertMediaReference(world: World, phone: Phone, reference: MediaReference | null): void {
  if (!reference) return;
  const { kind, link, id } = reference;
  if ((link === undefined) === (id === undefined)) {
    throw invalidParameter(
      `Param ${kind} must have either a link or an id${link === undefined ? '' : ', not both'}.`,
    );
  }
  if (link !== undefined && !/^https?:\/\/[^/]/.test(link)) {
    throw new GraphError(131009, `Param ${kind}['link'] is not a valid URI: "${link}".`);
  }
  if (id === undefined) return;
  const media = world.media.get(id);
  if (!media || world.phones.get(media.phoneId)?.accountId !== phone.accountId) {
    throw new GraphError(131009, `Param ${kind}['id']: there is no uploaded media with the id ${id}.`);
  }
  assertMediaType(world, kind, media.mimeType);
  if (kind === 'sticker') assertMediaSize(media.sizeBytes, largestSticker(media.bytes));
}

async function resolveMedia(
  world: World,
  phone: Phone,
  reference: MediaReference | null,
): Promise<{ media: Media | null; late: GraphError | null }> {
  if (!reference) return { media: null, late: null };
  if (reference.link === undefined) return { media: world.media.get(reference.id ?? '') ?? null, late: null };
  try {
    const media = await fetchMedia(
      world,
      phone.id,
      reference.kind,
      reference.link,
      reference.filename ?? null,
    );
    return { media, late: null };
  } catch (error) {
    if (error instanceof GraphError && world.settings.media_check === 'fail_later')
      return { media: null, late: error };
    throw error;
  }
}
