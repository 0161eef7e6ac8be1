// Names shared by the form of the second step and the server; loaded by browsers, too.

/** Id of next-auth's provider for the second step. */
export const SECOND_STEP_PROVIDER_ID = 'second-step';
/** Instead of a message: the password was right, and a code is needed. */
export const NEEDS_SECOND_STEP = 'SecondStep';
/** Instead of a message: the code was too late. */
export const SIGN_IN_EXPIRED = 'SignInExpired';
/** How long the code can be entered. */
export const CHALLENGE_SECONDS = 600;
