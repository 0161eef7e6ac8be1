// `patchbay reset-password`, `remove-two-factor` and `create-owner`: account recovery for an administrator of the machine.
import { createSecretBox } from '#lib/core/crypto/secret-box.ts';
import { addOwner } from '#lib/identity/auth/create-account.ts';
import { makePassword } from '#lib/identity/auth/password.ts';
import { resetPassword } from '#lib/identity/auth/password-reset.ts';
import { emailSchema, newAccountSchema } from '#lib/identity/members/schema.ts';
import { allowPasswords } from '#lib/identity/sign-in-policy/set-sign-in-policy.ts';
import { countPasskeys, deleteAllPasskeys } from '#lib/identity/passkeys/edit-passkeys.ts';
import { removeTwoFactor } from '#lib/identity/two-factor/change-two-factor.ts';
import { canMail } from '#lib/mail/can-mail.ts';
import { encryptionKeysOf, withDatabase } from './installation.ts';
import type { Output } from './output.ts';

/**
 * Sets a new password for an account and signs it out everywhere. @param given the password; left out: one is generated and
 * printed
 */
export async function resetPasswordOf(
  email: string,
  given: string | undefined,
  output: Output,
): Promise<void> {
  const account = newAccountSchema.parse({ email, password: given ?? makePassword() });
  const { endedSessions, passkeys } = await withDatabase({ say: output.say }, async (db) => ({
    ...(await resetPassword(db, account)),
    passkeys: await countPasskeys(db, account.email),
  }));
  output.give(
    {
      email: account.email,
      endedSessions,
      passkeys,
      ...(given === undefined ? { password: account.password } : {}),
    },
    [
      `${account.email} has a new password, and was signed out of ${endedSessions} ${endedSessions === 1 ? 'browser' : 'browsers'}.`,
      ...describePasskeys(passkeys),
      ...(given === undefined ? [`Password: ${account.password}`] : []),
    ],
  );
}

/** Remaining steps for a lost device; none where an account has no passkeys. */
const describePasskeys = (passkeys: number): string[] =>
  passkeys === 0
    ? []
    : [
        `${passkeys === 1 ? '1 passkey signs' : `${passkeys} passkeys sign`} in to the account as before. \`patchbay remove-two-factor --passkeys\` deletes ${passkeys === 1 ? 'it' : 'them'}.`,
      ];

/**
 * Removes the second factor of an account, and mails its owner where mail is set up.
 * @param alsoPasskeys deletes the passkeys of the account, too
 */
export async function removeTwoFactorOf(given: string, alsoPasskeys: boolean, output: Output): Promise<void> {
  const email = emailSchema.parse(given);
  const { SMTP_URL, MAIL_FROM } = process.env;
  const { removed, deletedPasskeys, passkeys } = await withDatabase(
    { say: output.say },
    async (db, { settings }) => {
      const ctx = {
        db,
        canMail: canMail({ SMTP_URL, MAIL_FROM }),
        get secrets() {
          return createSecretBox(encryptionKeysOf(settings));
        },
      };
      return {
        ...(await removeTwoFactor(ctx, { email })),
        deletedPasskeys: alsoPasskeys ? await deleteAllPasskeys(ctx, { email }) : 0,
        passkeys: await countPasskeys(db, email),
      };
    },
  );
  output.give({ email, removed, deletedPasskeys, passkeys }, [
    removed
      ? `${email} signs in with the password alone now, until the account sets up two-factor sign-in again.`
      : `${email} has no second factor.`,
    ...(deletedPasskeys > 0
      ? [`${deletedPasskeys === 1 ? '1 passkey was' : `${deletedPasskeys} passkeys were`} deleted.`]
      : []),
    ...describePasskeys(passkeys),
  ]);
}

/** Makes a user an owner of the first workspace, with a new account where there is none. */
export async function createOwner(email: string, given: string | undefined, output: Output): Promise<void> {
  const account = newAccountSchema.parse({ email, password: given ?? makePassword() });
  const { isNew } = await withDatabase({ say: output.say }, (db) => addOwner(db, account));
  const printed = isNew && given === undefined;
  output.give({ email: account.email, isNew, ...(printed ? { password: account.password } : {}) }, [
    isNew
      ? `${account.email} is an owner now.`
      : `${account.email} had an account, and is an owner now. The password is unchanged.`,
    ...(printed ? [`Password: ${account.password}`] : []),
  ]);
}

/** Ends required sign-in with the identity provider. */
export async function allowPasswordsAgain(output: Output): Promise<void> {
  const { wereOff } = await withDatabase({ say: output.say }, allowPasswords);
  output.give({ wereOff }, [
    wereOff
      ? 'Everybody can sign in with a password again. Owners require the identity provider in Settings → Sign-in.'
      : 'Passwords were allowed already.',
  ]);
}
