// One operation of the API, declared once: routing, checks and the OpenAPI document are derived from it.
import type { z } from 'zod';
import type { ErrorCode } from '#lib/core/errors.ts';
import type { AuthenticatedKey } from '#lib/identity/api-keys/authenticate-api-key.ts';
import { type KeyScope, ROLE_OF_SCOPE } from '#lib/identity/api-keys/scopes.ts';
import type { ActorContext } from '#lib/identity/context.ts';
import type { Role } from '#lib/identity/roles/roles.ts';
import { hidesNumbersFrom } from '#lib/messaging/mask.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** Context of operations: the workspace, and the key of the request. */
export interface ApiContext extends ActorContext {
  key: AuthenticatedKey;
}

/** Who reads with a key, for verbs that mask themselves: what they search depends on it, too. */
export const readerOf = ({ key }: ApiContext): { role: Role; masksNumbers: boolean } => ({
  role: ROLE_OF_SCOPE[key.scope],
  masksNumbers: key.masksNumbers,
});

/** Input for the searches of events and runs. */
export function toSearch<
  Query extends { search?: string | undefined; from?: string | undefined; to?: string | undefined },
>(ctx: ApiContext, { search, from, to, ...query }: Query) {
  return {
    ...query,
    text: search,
    fromMs: from === undefined ? undefined : Date.parse(from),
    toMs: to === undefined ? undefined : Date.parse(to),
    hidesNumbers: hidesNumbersFrom(readerOf(ctx)),
  };
}

/** Masks a response for keys with the scope `read`: `clean` masks texts of customers. */
export type MaskAnswer<Answer> = (answer: Answer, clean: (text: string) => string) => Answer;

export interface Operation {
  method: Method;
  /** Below `/api/v1`, with parameters as `{id}`. */
  path: string;
  /** `operationId` in OpenAPI. */
  id: string;
  tag: string;
  summary: string;
  query: z.ZodType | undefined;
  body: z.ZodType | undefined;
  /** The body may be omitted, where all its fields have defaults. */
  isBodyOptional: boolean;
  /** Fields of the body that are stored unchanged: their numbers keep their digits. */
  exactFields: readonly string[];
  /** A file of one of these types may be sent instead of the body. */
  fileTypes: readonly string[];
  status: 200 | 201 | 204;
  response: z.ZodType | undefined;
  /** It responds with a file of one of these types (`Download`), instead of JSON. */
  mediaTypes: readonly string[] | undefined;
  /** The required scope (docs/decisions/api-keys.md). */
  scope: KeyScope;
  /** Masks the response for keys with the scope `read`. */
  maskForViewers: MaskAnswer<unknown> | undefined;
  /** Whether assistants can use it as a tool (docs/mcp.md). */
  isTool: boolean;
  /** Its own error codes, besides those of every operation. */
  errors: readonly ErrorCode[];
  handle: (
    ctx: ApiContext,
    input: { params: Record<string, string>; query: unknown; body: unknown; file: SentFile | undefined },
  ) => Promise<unknown>;
}

/** The bytes of a file, which are read while they arrive. */
export type SentFile = AsyncIterable<Uint8Array>;

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
  /** Default: none. With such a file there is no body. */
  fileTypes?: readonly string[];
  /** Default: 200. */
  status?: 200 | 201 | 204;
  response?: Answer;
  /** Instead of `response`: of a file. Its verb masks it. */
  mediaTypes?: readonly string[];
  scope: KeyScope;
  maskForViewers?: MaskAnswer<z.output<Answer>>;
  /** Default: true. False where secrets are sent or returned, for files, and where a deletion cannot be undone. */
  isTool?: boolean;
  errors?: readonly ErrorCode[];
  handle: (
    ctx: ApiContext,
    input: {
      params: Record<ParamNames<Path>, string>;
      query: z.output<Query>;
      body: z.output<Body>;
      file: SentFile | undefined;
    },
  ) => Promise<Answer extends z.ZodVoid ? unknown : z.output<Answer>>;
}

/** Declares an operation; its input has been parsed by its schemas. */
export function defineOperation<
  Path extends string,
  Query extends z.ZodType = z.ZodUndefined,
  Body extends z.ZodType = z.ZodUndefined,
  Answer extends z.ZodType = z.ZodVoid,
>(declaration: Declaration<Path, Query, Body, Answer>): Operation {
  const { query, body, response, isBodyOptional = false, status = 200, errors = [] } = declaration;
  const { isTool = true, exactFields = [], fileTypes = [], mediaTypes } = declaration;
  return {
    ...declaration,
    query,
    body,
    response,
    mediaTypes,
    isBodyOptional,
    exactFields,
    fileTypes,
    status,
    isTool,
    errors,
    maskForViewers: declaration.maskForViewers as Operation['maskForViewers'],
    handle: declaration.handle as Operation['handle'],
  };
}
