// What keeps an account or a number from sending, before anything is sent: the field `health_status`.
import type { Account, Phone } from '../model.ts';
import type { World } from '../world.ts';

interface Entity {
  entity_type: 'PHONE_NUMBER' | 'WABA' | 'BUSINESS' | 'APP';
  id: string;
  can_send_message: 'AVAILABLE' | 'LIMITED' | 'BLOCKED';
  errors?: { error_code: number; error_description: string; possible_solution: string }[];
  additional_info?: string[];
}

/** Of an account, or of one of its numbers and all above it. */
export function healthOf(world: World, account: Account, phone?: Phone): object {
  const entities = [
    ...(phone ? [ofPhone(phone)] : []),
    ofAccount(account),
    ofBusiness(world, account),
    ofApp(world),
  ];
  const has = (state: Entity['can_send_message']) => entities.some((each) => each.can_send_message === state);
  const overall = has('BLOCKED') ? 'BLOCKED' : has('LIMITED') ? 'LIMITED' : 'AVAILABLE';
  return { can_send_message: overall, entities };
}

const blocked = (code: number, description: string, solution: string) => ({
  can_send_message: 'BLOCKED' as const,
  errors: [{ error_code: code, error_description: description, possible_solution: solution }],
});
const limited = (info: string) => ({ can_send_message: 'LIMITED' as const, additional_info: [info] });
const AVAILABLE = { can_send_message: 'AVAILABLE' as const };

const ofPhone = ({ id, status }: Phone): Entity => ({
  entity_type: 'PHONE_NUMBER',
  id,
  ...(status === 'CONNECTED'
    ? AVAILABLE
    : blocked(133010, 'The phone number is not registered.', 'Register the phone number.')),
});

function ofAccount({ id, hasPaymentMethod, restriction }: Account): Entity {
  const entity = { entity_type: 'WABA' as const, id };
  if (restriction !== null)
    return { ...entity, ...blocked(restriction, 'The account is restricted.', 'Request a review.') };
  if (!hasPaymentMethod)
    return {
      ...entity,
      ...blocked(
        141006,
        'There is an error with the payment method.',
        'Add a payment method to the account.',
      ),
    };
  return { ...entity, ...AVAILABLE };
}

function ofBusiness({ businesses }: World, { ownerBusinessId: id }: Account): Entity {
  const isVerified = businesses.get(id)?.verified ?? false;
  const state = isVerified ? AVAILABLE : limited('The business has not passed business verification.');
  return { entity_type: 'BUSINESS', id, ...state };
}

function ofApp({ options, subscriptions }: World): Entity {
  const listens = [...subscriptions.values()].some(
    ({ source, fields }) => source !== 'app' || fields?.includes('messages'),
  );
  const state = listens ? AVAILABLE : limited('The app is not subscribed to webhooks of messages.');
  return { entity_type: 'APP', id: options.client.id, ...state };
}
