// Reading workflows and connections over the API, for commands that get names or ids.
import { parseJson } from '#lib/core/json/parse-json.ts';
import type { ApiSchemas } from '#lib/api/client/create-api-client.ts';
import { type Api, ApiError, listAll, take } from './api.ts';

export type Workflow = ApiSchemas['Workflow'];
export type Connection = ApiSchemas['Connection'];

const PAGE = 100;

/** As text, so that numbers keep their digits. */
export const listWorkflows = (api: Api): Promise<Workflow[]> =>
  listAll(async (cursor) => {
    const query = { limit: PAGE, ...(cursor === undefined ? {} : { cursor }) };
    const text = await take(api, api.client.GET('/workflows', { params: { query }, parseAs: 'text' }));
    return parseJson(text) as unknown as { data: Workflow[]; next_cursor: string | null };
  });

export const listConnections = (api: Api): Promise<Connection[]> =>
  listAll((cursor) =>
    take(
      api,
      api.client.GET('/connections', {
        params: { query: { limit: PAGE, ...(cursor === undefined ? {} : { cursor }) } },
      }),
    ),
  );

/** The workflow of a name or an id. @throws ApiError for none, and for several with one name */
export function findNamed(workflows: readonly Workflow[], nameOrId: string): Workflow {
  const named = workflows.filter(({ id, name }) => id === nameOrId || name === nameOrId);
  const [first] = named;
  if (!first)
    throw new ApiError(`There is no workflow “${nameOrId}”. \`patchbay workflows list\` lists them.`);
  if (named.length > 1)
    throw new ApiError(
      `${named.length} workflows are called “${nameOrId}”. Use an id: ${named.map(({ id }) => id).join(', ')}`,
    );
  return first;
}
