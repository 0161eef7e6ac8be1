import * as z from 'zod';
import { AppError } from '#lib/core/errors.ts';
import { deleteSecret, listSecrets, setSecret } from '#lib/workflows/secrets/secrets.ts';
import { secretInputSchema, secretSchema, secretValueSchema } from '#lib/workflows/secrets/schema.ts';
import { defineOperation } from '../operation.ts';

const tag = 'Secrets';

export const SECRET_OPERATIONS = [
  defineOperation({
    method: 'GET',
    path: '/secrets',
    id: 'listSecrets',
    tag,
    scope: 'edit',
    summary: 'List the secrets by name, with the workflows that use them. Their values are never returned.',
    response: z.strictObject({ data: z.array(secretSchema) }),
    handle: async (ctx) => ({ data: await listSecrets(ctx) }),
  }),
  defineOperation({
    method: 'PUT',
    path: '/secrets/{name}',
    id: 'setSecret',
    tag,
    scope: 'edit',
    isTool: false,
    summary: 'Add a secret or replace its value. Tasks use the new value from their next execution on.',
    body: secretValueSchema,
    status: 204,
    handle: (ctx, { params: { name }, body }) => setSecret(ctx, { name: readName(name), ...body }),
  }),
  defineOperation({
    method: 'DELETE',
    path: '/secrets/{name}',
    id: 'deleteSecret',
    tag,
    scope: 'edit',
    summary: 'Delete a secret that no workflow uses.',
    status: 204,
    errors: ['conflict'],
    handle: (ctx, { params }) => deleteSecret(ctx, params),
  }),
];

function readName(name: string): string {
  const { success, error } = secretInputSchema.shape.name.safeParse(name);
  if (success) return name;
  const problems = error.issues.map(({ message }) => ({ path: 'name', message }));
  throw new AppError('invalid_request', 'The name of the secret cannot be used.', { problems });
}
