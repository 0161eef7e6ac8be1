import type { JsonPlace } from './syntax.ts';

/** How values are written into a text: as they are, or escaped for JSON, XML or a web address. */
export type Escape = 'none' | 'json' | 'xml' | 'url';

export const OUTSIDE: JsonPlace = 0;
export const IN_STRING: JsonPlace = 1;
export const AFTER_BACKSLASH: JsonPlace = 2;

const XML_NAMES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Escapes for element content and attribute values; characters XML 1.0 cannot hold (section 2.2) are dropped. */
export function escapeXml(text: string): string {
  return text
    .toWellFormed()

    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '')
    .replace(/[&<>"']/g, (character) => XML_NAMES[character] ?? character);
}

/** Escapes for the inside of a JSON string literal. */
export function escapeJsonString(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

/** Percent-encodes (RFC 3986) everything but unreserved characters. */
export function escapeUrl(text: string): string {
  const encoded = encodeURIComponent(text.toWellFormed());
  return encoded.replace(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);
}

/** The JSON context after `text`, from the context `place` before it. */
export function jsonPlaceAfter(text: string, place: JsonPlace): JsonPlace {
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (place === AFTER_BACKSLASH) place = IN_STRING;
    else if (code === 0x22) place = place === OUTSIDE ? IN_STRING : OUTSIDE;
    else if (code === 0x5c && place === IN_STRING) place = AFTER_BACKSLASH;
  }
  return place;
}
