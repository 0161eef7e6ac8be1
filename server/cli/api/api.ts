// Shared by the commands over the REST API: the client, and its error messages.
import { type ApiClient, createApiClient } from '#lib/api/client/create-api-client.ts';
import { reasonOf } from '#lib/core/errors.ts';
import { takeSettingFiles } from '#lib/core/env.ts';
import { SettingsError } from '#lib/core/settings/checks.ts';

const DEFAULT_URL = 'http://localhost:3000';

/** An error of the API, with a message for the user of the command line. */
export class ApiError extends Error {
  readonly status: number | undefined;

  constructor(message: string, status?: number, options?: ErrorOptions) {
    super(message, options);
    this.name = 'ApiError';
    this.status = status;
  }
}

export interface Api {
  client: ApiClient;
  url: string;
}

/**
 * The installation of `PATCHBAY_URL` and `PATCHBAY_API_KEY`. @throws ApiError without a valid key, SettingsError when the file
 * of the key cannot be read
 */
export function connect(environment: NodeJS.ProcessEnv): Api {
  const problems = takeSettingFiles(environment).filter(({ name }) => name === 'PATCHBAY_API_KEY_FILE');
  if (problems.length > 0) throw new SettingsError(problems);
  const url = environment['PATCHBAY_URL'] || DEFAULT_URL;
  const apiKey = environment['PATCHBAY_API_KEY'];
  if (!/^https?:$/.test(URL.parse(url)?.protocol ?? ''))
    throw new ApiError(`PATCHBAY_URL is not a URL such as https://patchbay.example.com: ${url}`);
  if (!apiKey) throw new ApiError(`Set PATCHBAY_API_KEY. ${howToMakeKey(url)}`);
  if (!/^[!-~]+$/.test(apiKey.trim()))
    throw new ApiError(`PATCHBAY_API_KEY is not an API key. ${howToMakeKey(url)}`);
  return { client: createApiClient({ url, apiKey }), url };
}

const howToMakeKey = (url: string): string => `An owner creates API keys in Settings: ${keysPage(url)}`;

const keysPage = (url: string): string => new URL('/settings/api-keys', url).href;

interface Answer<Data> {
  data?: Data | undefined;
  error?: unknown;
  response: Response;
}

/** The data of a response. @throws ApiError with the problem and its location */
export async function take<Data>({ url }: Api, call: Promise<Answer<Data>>): Promise<Data> {
  const answer = await call.catch((error: unknown) => {
    throw new ApiError(
      `Patchbay does not answer at ${url} (${reasonOf(error)}). Set PATCHBAY_URL to its address.`,
      undefined,
      { cause: error },
    );
  });
  if (answer.response.ok) return answer.data as Data;
  throw toApiError(url, answer);
}

function toApiError(url: string, { error, response: { status } }: Answer<unknown>): ApiError {
  const { message, problems = [] } = (error as Partial<ErrorBody> | undefined)?.error ?? {};
  if (status === 401 && message !== undefined)
    return new ApiError(`PATCHBAY_API_KEY: ${message} ${keysPage(url)}`, status);
  if (message === undefined)
    return new ApiError(`What answers at ${url} is not the API of Patchbay (status ${status}).`, status);
  const lines = problems.map(({ path, message: what }) => `  ${path ? `${path}: ` : ''}${what}`);
  return new ApiError([message, ...lines].join('\n'), status);
}

interface ErrorBody {
  error: { message: string; problems?: { path: string; message: string }[] };
}

interface Page<Item> {
  data: Item[];
  next_cursor: string | null;
}

/** Every row of a list. @param load loads a page, the first one without a cursor */
export async function listAll<Item>(
  load: (cursor: string | undefined) => Promise<Page<Item>>,
): Promise<Item[]> {
  const rows: Item[] = [];
  let cursor: string | null | undefined;
  do {
    const page: Page<Item> = await load(cursor ?? undefined);
    rows.push(...page.data);
    cursor = page.next_cursor;
  } while (cursor !== null);
  return rows;
}
