// One operation of the API, declared once: the routing, the checks and the OpenAPI document all follow from it.
import type { z } from 'zod';
import type { ErrorCode } from '#lib/core/errors.ts';
import type { AuthenticatedKey } from '#lib/identity/api-keys/authenticate-api-key.ts';
import type { KeyScope } from '#lib/identity/api-keys/scopes.ts';
import type { ActorContext } from '#lib/identity/context.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** What operations are handed: whose workspace, and the key that asks. */
export interface ApiContext extends ActorContext {
  key: AuthenticatedKey;
}

/** An answer with texts that customers sent cleaned by `clean`, and without what lets its reader do more than look. */
export type MaskAnswer<Answer> = (answer: Answer, clean: (text: string) => string) => Answer;

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
  /** Fields of the body that are stored as they were sent: their numbers keep their digits. */
  exactFields: readonly string[];
  status: 200 | 201 | 204;
  response: z.ZodType | undefined;
  /** The scope that the key needs (docs/decisions/api-keys.md). */
  scope: KeyScope;
  /** What keys that may only look are answered instead. */
  maskForViewers: MaskAnswer<unknown> | undefined;
  /** Whether assistants may use it as a tool (docs/mcp.md). */
  isTool: boolean;
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
  /** Default: none. */
  exactFields?: readonly string[];
  /** Default: 200. */
  status?: 200 | 201 | 204;
  response?: Answer;
  scope: KeyScope;
  maskForViewers?: MaskAnswer<z.output<Answer>>;
  /** Default: true. False where secrets are sent or answered, and where nothing brings back what is deleted. */
  isTool?: boolean;
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
  const { query, body, response, isBodyOptional = false, status = 200, errors = [] } = declaration;
  const { isTool = true, exactFields = [] } = declaration;
  return {
    ...declaration,
    query,
    body,
    response,
    isBodyOptional,
    exactFields,
    status,
    isTool,
    errors,
    maskForViewers: declaration.maskForViewers as Operation['maskForViewers'],
    handle: declaration.handle as Operation['handle'],
  };
}
