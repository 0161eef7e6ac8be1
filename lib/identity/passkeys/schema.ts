// What browsers send about passkeys (Web Authentication Level 3, "RegistrationResponseJSON" and "AuthenticationResponseJSON").
import * as z from 'zod';
import { CONTROLS_IN_NAME, isPlainName } from '#lib/core/plain-name.ts';
import { enteredCodeSchema, enteredPasswordSchema } from '#lib/identity/members/schema.ts';

const MAX_NAME_CHARACTERS = 60;
/** A credential's ID has at most 1023 bytes; the rest is a few hundred, attestation a few thousand. */
export const MAX_RESPONSE_CHARACTERS = 20_000;

const base64url = z
  .string()
  .max(MAX_RESPONSE_CHARACTERS)
  .regex(/^[\w-]+$/);

const nameSchema = z
  .string()
  .trim()
  .min(1, 'Enter a name.')
  .max(MAX_NAME_CHARACTERS, `Use at most ${MAX_NAME_CHARACTERS} characters.`)
  .refine(isPlainName, CONTROLS_IN_NAME);

/** Empty where no proof is needed. */
const proof = { password: enteredPasswordSchema, code: enteredCodeSchema };

export const startPasskeySchema = z.strictObject({ name: nameSchema, ...proof });
export const renamePasskeySchema = z.strictObject({ id: z.string(), name: nameSchema });
export const deletePasskeySchema = z.strictObject({ id: z.string(), ...proof });

const credential = { id: base64url, rawId: base64url, type: z.literal('public-key') };

const registrationResponseSchema = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: base64url,
    attestationObject: base64url,
  }),
});

export const authenticationResponseSchema = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: base64url,
    authenticatorData: base64url,
    signature: base64url,
    userHandle: base64url,
  }),
});
export type AuthenticationResponse = z.output<typeof authenticationResponseSchema>;

export const confirmPasskeySchema = z.strictObject({
  sealed: z.string().max(2000),
  response: registrationResponseSchema,
});
