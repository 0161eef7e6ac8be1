import * as z from 'zod';
import { env } from '#lib/core/env.ts';
import { listHealthChecks } from '#lib/screens/list-health-checks.ts';
import { defineOperation } from '../operation.ts';

const checkSchema = z
  .strictObject({
    id: z.enum(['database', 'workers', 'queue', 'disk', 'keys', 'connections', 'platform', 'notifications']),
    result: z.enum(['ok', 'warning', 'failed']),
    text: z.string(),
    fix: z.string().nullable().meta({ description: 'What to do; null when all is well.' }),
  })
  .meta({ id: 'HealthCheck' });

export const HEALTH_OPERATIONS = [
  defineOperation({
    method: 'GET',
    path: '/health',
    id: 'getHealth',
    tag: 'Health',
    scope: 'read',
    summary:
      'Check what the installation needs: database, workers, queue, disk, encryption keys, connections, messaging platform, notifications.',
    response: z.strictObject({ data: z.array(checkSchema) }),
    handle: async (ctx) => ({
      data: (await listHealthChecks(ctx, env())).map(({ id, result, what, fix, at }) => ({
        id,
        result,
        text: at === null ? what : `${what} ${at}.`,
        fix,
      })),
    }),
  }),
];
