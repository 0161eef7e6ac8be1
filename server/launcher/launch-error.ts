/** Patchbay cannot be started; the message for the operator has the fix. Shown without a stack. */
export class LaunchError extends Error {
  override readonly name = 'LaunchError';
}
