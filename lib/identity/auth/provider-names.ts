// Names shared by the sign-in page and the server; loaded by browsers, too.

/** Id of next-auth's provider for passkeys. */
export const PASSKEY_PROVIDER_ID = 'passkey';
/** How long a challenge is valid. */
export const PASSKEY_CHALLENGE_SECONDS = 300;

// Names shared by the form of the second step and the server; loaded by browsers, too.

/** Id of next-auth's provider for the second step. */
export const SECOND_STEP_PROVIDER_ID = 'second-step';
/** Instead of a message: the password was right, and a code is needed. */
export const NEEDS_SECOND_STEP = 'SecondStep';
/** Instead of a message: the code was too late. */
export const SIGN_IN_EXPIRED = 'SignInExpired';
/** How long the code can be entered. */
export const CHALLENGE_SECONDS = 600;

// What next-auth passes to the forms in the place of its own error codes.

/** Before the text of a refusal. */
export const REFUSAL = 'Refused: ';
/** A fault of the server. */
export const SIGN_IN_UNAVAILABLE = 'SignInUnavailable';
