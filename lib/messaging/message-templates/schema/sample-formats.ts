/** Accepted sample files for media headers. */
export const SAMPLE_MIME_TYPES: readonly string[] = [
  'image/jpeg',
  'image/png',
  'video/mp4',
  'application/pdf',
];

/** The same as file extensions, by the header's format. Isomorphic: the form checks before sending. */
export const SAMPLE_ENDINGS = {
  IMAGE: ['jpg', 'jpeg', 'png'],
  VIDEO: ['mp4'],
  DOCUMENT: ['pdf'],
} as const;
