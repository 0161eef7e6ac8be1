// Ids of messages that a run of the draft captured instead of sending. Isomorphic: screens recognize them, too.

const PREFIX = 'captured.';

/** The id of a captured message. @param id unique */
export const toCapturedId = (id: string): string => PREFIX + id;

/** Whether a message was captured. @param messageId of a message that was sent or captured */
export const isCaptured = (messageId: string): boolean => messageId.startsWith(PREFIX);
