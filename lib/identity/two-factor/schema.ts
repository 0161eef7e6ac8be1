// Input of the forms for two-factor sign-in.
import * as z from 'zod';

const MAX_PASSWORD_CHARACTERS = 500;
const MAX_CODE_CHARACTERS = 60;

const passwordSchema = z.string().max(MAX_PASSWORD_CHARACTERS);
const codeSchema = z.string().trim().min(1, 'Enter a code.').max(MAX_CODE_CHARACTERS, 'This is not a code.');

export const startSetUpSchema = z.strictObject({ password: passwordSchema });
export const confirmSetUpSchema = z.strictObject({ code: codeSchema });
export const proofSchema = z.strictObject({
  password: passwordSchema.min(1, 'Enter your password.'),
  code: codeSchema,
});
