// The one rule for which names have secret values (of headers, query parameters, fields of bodies, variables), and for which
// values look like a key whatever their name.

/**
 * Names of secrets: standard ones, and those that contain such a word. PostgreSQL uses it, too. It matches too much alone:
 * `isSecretName` excludes names that only look like it.
 */
export const SECRET_NAME =
  /authori[sz]ation|authenticat|authz?([^a-z0-9]|$)|(^|[^a-z0-9])(pass|pin|otp|sig)([^a-z0-9]|$)|cookie|token|secret|signature|passw|passphrase|passcode|pwd|credential|session|key|jwt|bearer|hmac/i;

const HARMLESS_NAMES = [
  '(?:idempotency|primary|foreign|public|publishable|sort|partition|object|cache|row|group|order|deduplication)[-_. ]?keys?',
  'key[-_]?(?:words?|board|note|frame|stroke|pad|id|name|type|space)',
  '(?:mon|tur|don|hoc|joc|hot|short)key',
  '(?:max|min|num|total|prompt|completion|input|output|cached|reasoning)[-_](?:new[-_]|completion[-_]|output[-_]|input[-_])?tokens',
  'tokens?[-_](?:type|count|limit|used|ur[il]|endpoint|budget)',
  '(?:next|page|previous|continuation|sync)[-_]?(?:page[-_])?token',
  'tokeni[sz]\\w*',
  '(?:auth\\w*|signature|session|secret|password)[-_](?:type|method|mode|version|provider|algorithm|policy|length|name|count|duration|timeout)',
];
const HARMLESS = new RegExp(HARMLESS_NAMES.join('|'), 'gi');

/** Whether the value of this name could be a secret; `apiKey`, `api_key` and `X-API-Key` are equal. */
export function isSecretName(name: string): boolean {
  const words = name.replace(/([a-z\d])([A-Z])/g, '$1_$2');
  return SECRET_NAME.test(words.replace(HARMLESS, ' '));
}

const MIN_RANDOM_CHARACTERS = 20;
const TOKEN = /^[\w.~+/=-]+$/;
const UUID = /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/i;
/** Changes between letters and digits, and from lower to upper case: words and versions have few. */
const CHANGE = /[a-z](?=[A-Z\d])|[A-Z](?=\d)|\d(?=[A-Za-z])/g;
const MIN_CHANGES_IN_TEN = 2;

/**
 * Whether a text looks like a generated key: long, without spaces, with letters and digits mixed. Words, media types,
 * versions, dates, URLs and UUIDs (mostly ids) do not. A heuristic for warnings only.
 */
export function looksRandom(text: string): boolean {
  const value = text.trim();
  if (value.length < MIN_RANDOM_CHARACTERS || !TOKEN.test(value) || UUID.test(value)) return false;
  const longest = value.split(/[^A-Za-z\d]+/).reduce((a, b) => (b.length > a.length ? b : a), '');
  if (longest.length < MIN_RANDOM_CHARACTERS * 0.75) return false;
  const changes = longest.match(CHANGE)?.length ?? 0;
  return changes * 10 >= longest.length * MIN_CHANGES_IN_TEN;
}
