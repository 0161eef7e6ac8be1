/** What an authenticator calls an account: the bytes of its ID, which say nothing about its owner. @param userId a UUID */
export const toUserHandle = (userId: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(Buffer.from(userId.replaceAll('-', ''), 'hex'));
