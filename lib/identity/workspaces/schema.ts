// Input of the workspace's settings: from the forms, and from the REST API.
import * as z from 'zod';
import { CONTROLS_IN_NAME, isPlainName } from '#lib/core/plain-name.ts';

export const numberMaskingSchema = z.strictObject({ masksNumbers: z.boolean() });

export const twoFactorRequirementSchema = z
  .strictObject({ required: z.boolean() })
  .meta({ id: 'TwoFactorRequirement' });

export const workspaceNameSchema = z.strictObject({
  name: z
    .string()
    .trim()
    .min(1, 'Enter a name.')
    .max(100, 'Use at most 100 characters.')
    .refine(isPlainName, CONTROLS_IN_NAME),
});
