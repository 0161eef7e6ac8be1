/**
 * An account's user handle for authenticators: the bytes of its id, which reveal nothing about its owner.
 * @param userId a UUID
 */
export const toUserHandle = (userId: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(Buffer.from(userId.replaceAll('-', ''), 'hex'));
