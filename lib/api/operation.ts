// One operation of the API, declared once: the routing, the checks and the OpenAPI document all follow from it.
import type { z } from 'zod';
import type { ErrorCode } from '#lib/core/errors.ts';
import type { Role } from '#lib/identity/members/roles.ts';
import type { ActorContext } from '#lib/identity/context.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** What operations are handed: whose workspace, and the key that asks. */
export interface ApiContext extends ActorContext {
  keyHash: Buffer;
}

export interface Operation {
  method: Method;
  /** Below `/api/v1`, with parameters as `{id}`. */
  path: string;
  /** Its name in OpenAPI. */
  id: string;
  tag: string;
  summary: string;
  query: z.ZodType | undefined;
  body: z.ZodType | undefined;
  /** The body may be left out where every field of it has a default. */
  isBodyOptional: boolean;
  status: 200 | 201 | 204;
  response: z.ZodType | undefined;
  /** The role that the key needs (docs/decisions/api-keys.md). */
  for: Role;
  /** Refusals of its own, besides those that every operation has. */
  errors: readonly ErrorCode[];
  handle: (
    ctx: ApiContext,
    input: { params: Record<string, string>; query: unknown; body: unknown },
  ) => Promise<unknown>;
}

type ParamNames<Path> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | ParamNames<Rest>
  : never;

interface Declaration<
  Path extends string,
  Query extends z.ZodType,
  Body extends z.ZodType,
  Answer extends z.ZodType,
> {
  method: Method;
  path: Path;
  id: string;
  tag: string;
  summary: string;
  query?: Query;
  body?: Body;
  isBodyOptional?: boolean;
  /** Default: 200. */
  status?: 200 | 201 | 204;
  response?: Answer;
  /** Default: an editor's. */
  for?: Role;
  errors?: readonly ErrorCode[];
  handle: (
    ctx: ApiContext,
    input: { params: Record<ParamNames<Path>, string>; query: z.output<Query>; body: z.output<Body> },
  ) => Promise<Answer extends z.ZodVoid ? unknown : z.output<Answer>>;
}

/** Declares an operation; what it is handed has been parsed by its schemas. */
export function defineOperation<
  Path extends string,
  Query extends z.ZodType = z.ZodUndefined,
  Body extends z.ZodType = z.ZodUndefined,
  Answer extends z.ZodType = z.ZodVoid,
>(declaration: Declaration<Path, Query, Body, Answer>): Operation {
  const { query, body, response, isBodyOptional = false, status = 200, errors = [], handle } = declaration;
  const { for: role = 'editor' } = declaration;
  return {
    ...declaration,
    query,
    body,
    response,
    isBodyOptional,
    status,
    for: role,
    errors: role === 'owner' ? [...errors, 'forbidden'] : errors,
    handle: handle as Operation['handle'],
  };
}
