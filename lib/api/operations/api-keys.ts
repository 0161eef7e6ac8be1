import { isId } from '#lib/core/ids.ts';
import { createApiKey, listApiKeys, revokeApiKey } from '#lib/identity/api-keys/api-keys.ts';
import {
  apiKeyInputSchema,
  apiKeySchema,
  currentKeySchema,
  newApiKeySchema,
} from '#lib/identity/api-keys/schema.ts';
import { defineOperation } from '../operation.ts';
import { pageOf, pageQuerySchema } from '#lib/api/schemas.ts';

const tag = 'API keys';

export const API_KEY_OPERATIONS = [
  defineOperation({
    method: 'GET',
    path: '/api-keys/current',
    id: 'getCurrentKey',
    tag,
    scope: 'read',
    summary: 'Get what the API key of this request may do, and until when.',
    response: currentKeySchema,
    handle: async ({ key }) => ({
      id: isId(key.keyId) ? key.keyId : null,
      workspace_id: key.workspaceId,
      scope: key.grantedScope,
      effective_scope: key.scope,
      expires_at: key.expiresAt?.toISOString() ?? null,
    }),
  }),
  defineOperation({
    method: 'GET',
    path: '/api-keys',
    id: 'listApiKeys',
    tag,
    scope: 'admin',
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
    scope: 'admin',
    isTool: false,
    summary:
      'Create an API key. The key itself is only in this response. It may do no more, live no longer, and be revoked no later than the key that creates it.',
    body: apiKeyInputSchema,
    status: 201,
    response: newApiKeySchema,
    handle: (ctx, { body }) => createApiKey(ctx, body, { key: ctx.key }),
  }),
  defineOperation({
    method: 'DELETE',
    path: '/api-keys/{id}',
    id: 'revokeApiKey',
    tag,
    scope: 'admin',
    summary: 'Revoke an API key. It and all keys that were created with it stop working immediately.',
    status: 204,
    handle: (ctx, { params }) => revokeApiKey(ctx, params),
  }),
];
