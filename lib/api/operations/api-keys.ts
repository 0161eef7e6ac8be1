import { createApiKey } from '#lib/identity/api-keys/create-api-key.ts';
import { listApiKeys } from '#lib/identity/api-keys/list-api-keys.ts';
import { revokeApiKey } from '#lib/identity/api-keys/revoke-api-key.ts';
import { apiKeyInputSchema, apiKeySchema, newApiKeySchema } from '#lib/identity/api-keys/schema.ts';
import { defineOperation } from '../operation.ts';
import { pageOf, pageQuerySchema } from '../page-schema.ts';

// Only the key of the environment gets here: people manage keys in Settings (docs/decisions/api-keys.md).
const tag = 'API keys';

export const API_KEY_OPERATIONS = [
  defineOperation({
    method: 'GET',
    path: '/api-keys',
    id: 'listApiKeys',
    tag,
    for: 'owner',
    summary: 'List the API keys that were not revoked, newest first.',
    query: pageQuerySchema,
    response: pageOf(apiKeySchema),
    handle: (ctx, { query }) => listApiKeys(ctx, query),
  }),
  defineOperation({
    method: 'POST',
    path: '/api-keys',
    id: 'createApiKey',
    tag,
    for: 'owner',
    summary: 'Create an API key. The key itself is only in this response.',
    body: apiKeyInputSchema,
    status: 201,
    response: newApiKeySchema,
    handle: (ctx, { body }) => createApiKey(ctx, body, ctx.keyHash),
  }),
  defineOperation({
    method: 'DELETE',
    path: '/api-keys/{id}',
    id: 'revokeApiKey',
    tag,
    for: 'owner',
    summary: 'Revoke an API key. It stops working immediately.',
    status: 204,
    handle: (ctx, { params }) => revokeApiKey(ctx, params),
  }),
];
