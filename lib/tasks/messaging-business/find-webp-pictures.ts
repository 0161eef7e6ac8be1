import type { Problem } from '#lib/core/errors.ts';
import { isWebpUrl, WEBP_IS_FOR_STICKERS } from '#lib/messaging/sending/media-formats.ts';

/** The fields for files, the field with the file's kind, and the actions that have them. */
const PICTURES = [
  { kind: 'media_type', file: 'media_url', actions: ['send_media'] },
  { kind: 'header_type', file: 'header_value', actions: ['send_template', 'send_buttons', 'send_cta_url'] },
];

/**
 * Pictures in WebP, which the real platform refuses: a warning only, as the specification allows the format.
 * @param settings possibly refused by the schema for other reasons
 */
export function findWebpPictures(settings: unknown): Problem[] {
  const fields = (typeof settings === 'object' ? settings : null) as Record<string, unknown> | null;
  return PICTURES.flatMap(({ kind, file, actions }) => {
    const url = fields?.[file];
    const isPicture = actions.includes(String(fields?.['action'])) && fields?.[kind] === 'image';
    if (!isPicture || typeof url !== 'string' || !isWebpUrl(url.trim())) return [];
    return [{ path: `settings.${file}`, message: WEBP_IS_FOR_STICKERS }];
  });
}
