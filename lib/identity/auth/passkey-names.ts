// What the sign-in page and the server call things; loaded by browsers, too.

/** Signing in with a passkey, as next-auth's provider. */
export const PASSKEY_PROVIDER_ID = 'passkey';
/** How long there is time to answer a challenge. */
export const PASSKEY_CHALLENGE_SECONDS = 300;
