// What messages of several kinds are made of.
import type { JsonObject } from '#lib/core/json/value.ts';
import { isMediaId } from './media-id.ts';

export type MediaType = 'image' | 'video' | 'document' | 'audio';

/** Where a file is: exactly one of the two. */
export type MediaSource = { link: string } | { id: string };

/** A file by the id of an uploaded one, else by its URL. */
export const toMediaSource = (value: string): MediaSource =>
  isMediaId(value) ? { id: value } : { link: value };

/** What stands above the text of a message. */
export type HeaderValue =
  | { type: 'text'; text: string }
  | { type: Exclude<MediaType, 'audio'>; source: MediaSource };

/** As parameters of templates and headers of interactive messages have it. */
export const toHeader = (header: HeaderValue): JsonObject =>
  header.type === 'text' ? { ...header } : { type: header.type, [header.type]: { ...header.source } };

/** What goes along with a message of any kind. */
export interface MessageExtras {
  /** The message that is quoted above it. */
  replyTo?: string | undefined;
  /** Comes back with its statuses; at most 512 characters. */
  callbackData?: string | undefined;
}

export const toExtras = ({ replyTo, callbackData }: MessageExtras): JsonObject => ({
  ...(replyTo === undefined ? {} : { context: { message_id: replyTo } }),
  ...(callbackData === undefined ? {} : { biz_opaque_callback_data: callbackData }),
});
