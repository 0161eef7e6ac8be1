/** Patchbay cannot be started; the message is for the operator and says what to do. Shown without a stack. */
export class LaunchError extends Error {
  override readonly name = 'LaunchError';
}
