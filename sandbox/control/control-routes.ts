import type { IncomingMessage } from 'node:http';
import type Provider from 'oidc-provider';
import type { z } from 'zod';
import { BadRequest, parseJsonObject, readBody } from '../http/exchange.ts';
import type { World } from '../world.ts';

export type ControlCall = {
  world: World;
  provider: Provider;
  query: URLSearchParams;
  id: string;
  body: Record<string, unknown>;
};
export type ControlRoutes = Record<string, (call: ControlCall) => unknown>;

/** Checks a body of the control API. Throws BadRequest that names the field. */
export function readControl<T>(schema: z.ZodType<T>, body: unknown): T {
  const result = schema.safeParse(body);
  if (result.success) return result.data;
  const issue = result.error.issues[0];
  throw new BadRequest(`${issue?.path.join('.') || 'body'}: ${issue?.message ?? 'is not valid'}`);
}

/** Parses a control call. Throws BadRequest. */
export async function readControlBody(request: IncomingMessage): Promise<Record<string, unknown>> {
  return parseJsonObject(await readBody(request));
}
