// Whether an account can send, from the platform's "Messaging Health Status".
import * as z from 'zod';
import { field, objectOf, objectsOf, text, texts } from '#lib/messaging/platform-fields.ts';
import { toText } from '#lib/variables/to-text.ts';
import { callGraph, type GraphAccess } from './graph.ts';
import { isLastingRefusal } from './platform-error.ts';

export interface Obstacle {
  /** The platform's name of the entity: `WABA`, `BUSINESS`, `APP`. */
  of: string;
  /** Nothing can be sent at all; otherwise less than usual. */
  isBlocked: boolean;
  /** The platform's text. */
  why: string;
  /** Its error code; null: none. */
  code: number | null;
  /** The platform's fix; empty: none. */
  solution: string;
}

const number = field((value) => Number(toText(value)) || null);
const answerSchema = z.object({
  health_status: objectOf({
    entities: objectsOf({
      entity_type: text,
      can_send_message: text,
      additional_info: texts,
      errors: objectsOf({ error_code: number, error_description: text, possible_solution: text }),
    }),
  }),
});

/** What prevents an account from sending; null: the platform does not report it. @throws PlatformError */
export async function findObstacles(access: GraphAccess, accountId: string): Promise<Obstacle[] | null> {
  const call = { method: 'GET', path: [accountId], query: { fields: 'health_status' } } as const;
  const answer = await callGraph(access, call).catch((error: unknown) => {
    if (isLastingRefusal(error)) return undefined;
    throw error;
  });
  if (answer?.['health_status'] === undefined) return null;
  return answerSchema.parse(answer).health_status.entities.flatMap((entity) => {
    const { entity_type: of, can_send_message: state, errors, additional_info: info } = entity;
    if (state !== 'BLOCKED' && state !== 'LIMITED') return [];
    const about = { of, isBlocked: state === 'BLOCKED' };
    const told = [
      ...errors.map((error) => ({
        ...about,
        why: error.error_description,
        code: error.error_code,
        solution: error.possible_solution,
      })),
      ...info.map((why) => ({ ...about, why, code: null, solution: '' })),
    ];
    return told.length > 0 ? told : [{ ...about, why: 'It does not say why.', code: null, solution: '' }];
  });
}
