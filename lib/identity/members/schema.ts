// Members and invitations as screens and forms see them.
import * as z from 'zod';
import { CONTROLS_IN_NAME, isPlainName } from '#lib/core/plain-name.ts';
import type { Role } from '#lib/identity/roles/roles.ts';
import { roleSchema } from '#lib/identity/roles/schema.ts';

const MIN_PASSWORD_CHARACTERS = 12;
/** Scrypt accepts any length; this bounds the work of one request. */
const MAX_PASSWORD_CHARACTERS = 500;
/** Codes of an authenticator app, and recovery codes. */
export const MAX_CODE_CHARACTERS = 60;

export const emailSchema = z
  .string()
  .trim()
  .toLowerCase()
  .max(254)
  .pipe(z.email('Enter an email address such as you@example.com.'));

const passwordSchema = z
  .string()
  .min(
    MIN_PASSWORD_CHARACTERS,
    `Use at least ${MIN_PASSWORD_CHARACTERS} characters. A few words in a row work well.`,
  )
  .max(MAX_PASSWORD_CHARACTERS, `Use at most ${MAX_PASSWORD_CHARACTERS} characters.`);

/** The password of an account that has one already; empty where none is needed. */
export const enteredPasswordSchema = z.string().max(MAX_PASSWORD_CHARACTERS);
/** A code of the second factor; empty where none is needed. */
export const enteredCodeSchema = z.string().trim().max(MAX_CODE_CHARACTERS, 'This is not a code.');

export const newAccountSchema = z.strictObject({ email: emailSchema, password: passwordSchema });

export const newPasswordSchema = z.strictObject({ password: passwordSchema });

export const newInvitationSchema = z.strictObject({
  note: z.string().trim().max(200, 'Use at most 200 characters.').refine(isPlainName, CONTROLS_IN_NAME),
  role: roleSchema,
  days: z.int().min(1).max(30),
  /** Gets a link by mail; no other address can accept the invitation. */
  email: emailSchema.optional(),
});

export const changeRoleSchema = z.strictObject({ userId: z.string(), role: roleSchema });
export const removeMemberSchema = z.strictObject({ userId: z.string() });
export const changePasswordSchema = z.strictObject({
  currentPassword: enteredPasswordSchema,
  newPassword: passwordSchema,
});

export type NewInvitation = z.output<typeof newInvitationSchema>;
export type NewAccount = z.output<typeof newAccountSchema>;

export interface Member {
  userId: string;
  email: string;
  role: Role;
  /** ISO 8601. */
  joinedAt: string;
  hasTwoFactor: boolean;
}

export interface Invitation {
  id: string;
  note: string;
  /** Null: any address can accept it. */
  email: string | null;
  role: Role;
  createdAt: string;
  expiresAt: string;
  expired: boolean;
}
