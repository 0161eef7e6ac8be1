/** Whether a text can be the id of an uploaded file: the platform's ids are digits. Isomorphic. */
export const isMediaId = (text: string): boolean => /^\d{5,30}$/.test(text);
