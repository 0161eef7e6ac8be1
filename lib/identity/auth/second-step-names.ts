// What the form of the second step and the server call things; loaded by browsers, too.

/** The second step, as next-auth's provider. */
export const SECOND_STEP_PROVIDER_ID = 'second-step';
/** In place of a message: the password was right, and a code is needed. */
export const NEEDS_SECOND_STEP = 'SecondStep';
/** In place of a message: the code came too late. */
export const SIGN_IN_EXPIRED = 'SignInExpired';
/** How long there is time to enter the code. */
export const CHALLENGE_SECONDS = 600;
