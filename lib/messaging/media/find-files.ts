// Which stored files the content of an event or an output links to: they are removed with it (docs/operations.md, "Retention").
import { type LinkSealer, openLink } from './media-link.ts';
import { dayOf, isMediaKey } from './media-store.ts';

/** What a link to a stored file contains, of each kind of storage, as a regular expression of PostgreSQL. */
export const LINK_PATTERN = '/files/[^/"\\s]+/|/media/\\d{4}-\\d{2}-\\d{2}/[A-Za-z0-9_-]{32}';
/** Texts without any of these contain no such link, and need no regular expression. */
export const LINK_MARKS = ['/files/', '/media/20'] as const;

const OWN_LINK = /^\/files\/([^/]+)\/$/;
const BUCKET_LINK = '/media/';
const DAY_MS = 24 * 3_600_000;

/**
 * The key of the stored file that a match of `LINK_PATTERN` links to, if it was stored around this time. Another one was
 * stored for something else, whose retention decides: a caller can send any link.
 */
export function findFileKey(
  link: string,
  { secrets }: Pick<LinkSealer, 'secrets'>,
  { from, to }: { from: Date; to: Date },
): string | undefined {
  const key = readKey(link, secrets);
  if (key === undefined || !isMediaKey(key)) return undefined;
  const day = key.slice(0, key.indexOf('/'));
  const isAround =
    day >= dayOf(new Date(from.getTime() - DAY_MS)) && day <= dayOf(new Date(to.getTime() + DAY_MS));
  return isAround ? key : undefined;
}

function readKey(link: string, secrets: LinkSealer['secrets']): string | undefined {
  const token = OWN_LINK.exec(link)?.[1];
  if (token === undefined) return link.startsWith(BUCKET_LINK) ? link.slice(BUCKET_LINK.length) : undefined;
  // The link has expired long ago; its seal still shows that it was made here.
  const opened = openLink(secrets, token, new Date(0));
  return opened.state === 'valid' ? opened.file.key : undefined;
}
