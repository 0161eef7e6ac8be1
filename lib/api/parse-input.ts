import * as z from 'zod';
import { describeIssue } from '#lib/core/describe-issue.ts';
import { AppError, type Problem } from '#lib/core/errors.ts';
import { isJsonType, mediaTypeOf } from '#lib/core/http/request-headers.ts';
import { readUpTo } from '#lib/core/http/read-body.ts';
import { parseJsonBytes } from '#lib/core/json/parse-json-bytes.ts';
import { JsonSyntaxError } from '#lib/core/json/read-json.ts';
import { isJsonObject, type JsonValue } from '#lib/core/json/value.ts';
import { joinPath } from '#lib/tasks/variable-fields.ts';
import type { Operation, SentFile } from './operation.ts';

const NOTHING = z.strictObject({});

export interface ParsedInput {
  query: unknown;
  body: unknown;
  /** Instead of the body; it is not read yet. */
  file: SentFile | undefined;
}

/**
 * Parses a request's query and body.
 * @throws AppError `invalid_request` with every problem of query and body by its path; those of `readJsonBody`
 */
export async function parseInput(operation: Operation, request: Request, url: URL): Promise<ParsedInput> {
  const problems: Problem[] = [];
  const query = operation.query && parse(operation.query, readQuery(url, problems), problems);
  if (!operation.query && url.search.length > 1) problems.push(...unknownParameters(url));
  const file = findFile(operation, request);
  const body = await readBodyOf(operation, request, file, problems);
  if (problems.length === 0) return { query, body, file };
  const count = problems.length === 1 ? 'one problem' : `${problems.length} problems`;
  throw new AppError('invalid_request', `The request has ${count}.`, { problems });
}

function parseBody(
  schema: z.ZodType,
  { exactFields }: Operation,
  { value, exact }: JsonBody,
  problems: Problem[],
): unknown {
  const body = parse(schema, value, problems);
  if (exactFields.length === 0 || !isJsonObject(exact) || body === undefined) return body;
  const kept = exactFields.filter((name) => Object.hasOwn(exact, name)).map((name) => [name, exact[name]]);
  return { ...(body as object), ...Object.fromEntries(kept) };
}

function findFile({ fileTypes }: Operation, request: Request): SentFile | undefined {
  const isFile = fileTypes.includes(mediaTypeOf(request.headers.get('content-type')) ?? '');
  return isFile ? (request.body ?? undefined) : undefined;
}

async function readBodyOf(
  operation: Operation,
  request: Request,
  file: SentFile | undefined,
  problems: Problem[],
): Promise<unknown> {
  if (file) return undefined;
  if (!operation.body) return refuseBody(operation, request, problems);
  return parseBody(operation.body, operation, await readSentBody(operation, request), problems);
}

async function readSentBody(operation: Operation, request: Request): Promise<JsonBody> {
  const body = await readJsonBody(request, operation.fileTypes);
  if (body !== undefined) return body;
  if (operation.isBodyOptional) return { value: {}, exact: {} };
  throw new AppError('invalid_request', 'The request has no body: send a JSON object.');
}

/** An unexpected body is an error: `{"version": 3}` would be ignored when publishing the draft. */
async function refuseBody({ method }: Operation, request: Request, problems: Problem[]): Promise<undefined> {
  if (method === 'GET') return;
  const body = await readJsonBody(request);
  if (body !== undefined) parse(NOTHING, body.value, problems);
}

function readQuery(url: URL, problems: Problem[]): Record<string, string> {
  const query = new Map<string, string>();
  for (const [name, value] of url.searchParams) {
    if (query.has(name)) problems.push({ path: name, message: 'Send this only once.' });
    query.set(name, value);
  }
  return Object.fromEntries(query);
}

const unknownParameters = (url: URL): Problem[] =>
  [...new Set(url.searchParams.keys())].map((path) => ({
    path,
    message: 'Unknown parameter: remove it.',
  }));

function parse(schema: z.ZodType, value: unknown, problems: Problem[]): unknown {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  problems.push(...result.error.issues.flatMap((issue) => toProblems(issue, value)));
  return undefined;
}

function toProblems(issue: z.core.$ZodIssue, value: unknown): Problem[] {
  const path = issue.path.reduce<string>(joinPath, '').replace(/^\./, '');
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({
      path: joinPath(path, key).replace(/^\./, ''),
      message: 'Unknown field: remove it.',
    }));
  }
  const at = issue.path.reduce<unknown>(
    (part, key) => (part as Record<PropertyKey, unknown> | null | undefined)?.[key],
    value,
  );
  return [{ path, message: describeIssue(issue, at) }];
}

/** Twice the size of the largest workflow. */
export const MAX_API_BODY_BYTES = 5 * 1024 * 1024;

interface JsonBody {
  /** With plain JavaScript numbers. */
  value: unknown;
  /** With numbers that keep their digits. */
  exact: JsonValue;
}

/**
 * The JSON value of a request's body; undefined when there is none.
 * @throws AppError `unsupported_media_type`, `body_too_large`, `invalid_json`
 */
async function readJsonBody(
  request: Request,
  fileTypes: readonly string[] = [],
): Promise<JsonBody | undefined> {
  const bytes = await readBytes(request);
  if (bytes.length === 0) return undefined;
  const type = mediaTypeOf(request.headers.get('content-type'));
  if (type && !isJsonType(type)) {
    throw new AppError(
      'unsupported_media_type',
      `Content-Type is ${JSON.stringify(type.slice(0, 100))}: send ${['application/json', ...fileTypes].join(' or ')}.`,
    );
  }
  try {
    const exact = parseJsonBytes(bytes);
    return { value: JSON.parse(new TextDecoder().decode(bytes)) as unknown, exact };
  } catch (error) {
    if (error instanceof JsonSyntaxError) throw new AppError('invalid_json', error.message);
    throw error;
  }
}

async function readBytes(request: Request): Promise<Buffer> {
  const isTooLarge = Number(request.headers.get('content-length') ?? 0) > MAX_API_BODY_BYTES;
  const bytes = isTooLarge ? undefined : await readUpTo(request.body, MAX_API_BODY_BYTES);
  if (!bytes) throw tooLarge();
  return bytes;
}

const tooLarge = (): AppError =>
  new AppError('body_too_large', `The body is larger than ${MAX_API_BODY_BYTES.toLocaleString('en')} bytes.`);
