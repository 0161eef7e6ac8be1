import { v7 } from 'uuid';

/** A new id: UUID version 7, so that ids sort by the time they were made and indexes grow at one end. */
export const newId = (): string => v7();

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Whether a text could be an id of ours, so that a wrong one is "not found" and never a database error. */
export const isId = (text: string): boolean => UUID.test(text);
