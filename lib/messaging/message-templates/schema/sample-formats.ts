/** What the platform takes as the sample of a media header. */
export const SAMPLE_MIME_TYPES: readonly string[] = [
  'image/jpeg',
  'image/png',
  'video/mp4',
  'application/pdf',
];

/** The same as endings, by the header's format. Isomorphic: the form checks before it sends. */
export const SAMPLE_ENDINGS = {
  IMAGE: ['jpg', 'jpeg', 'png'],
  VIDEO: ['mp4'],
  DOCUMENT: ['pdf'],
} as const;
