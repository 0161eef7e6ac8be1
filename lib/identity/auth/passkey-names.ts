// Names shared by the sign-in page and the server; loaded by browsers, too.

/** Id of next-auth's provider for passkeys. */
export const PASSKEY_PROVIDER_ID = 'passkey';
/** How long a challenge is valid. */
export const PASSKEY_CHALLENGE_SECONDS = 300;
