// Masking of numbers and secrets in logs, lists and screens.
import { hasRole, type Role } from '#lib/identity/roles/roles.ts';

const SHOWN_DIGITS = 4;
const HIDDEN = '•';

const NUMBER = /(?<![\w.-])\+?\d{9,15}(?![\w-]|\.\d)/g;

/** A customer's id in a business portfolio, inside a text (`platform/ids.ts`). */
const USER_ID = /(?<![\w.-])([A-Z]{2}\.(?:ENT\.)?)(?=[A-Za-z]*\d)[A-Za-z0-9]{8,128}(?![\w-])/g;

/** The platform's id of a message is base64 that contains the customer's number. */
const MESSAGE_ID = /\bwamid\.([\w+/=-]{16,})/g;
const NUMBER_IN_ID = /\d{9,15}/;

/** Masks what could be a customer's number or user id in a text, also within message ids, except the last four characters. */
export const maskNumbersIn = (text: string): string =>
  text
    .replace(MESSAGE_ID, (id: string, encoded: string) =>
      NUMBER_IN_ID.test(Buffer.from(encoded, 'base64').toString('latin1')) ? `wamid.${hide(id)}` : id,
    )
    .replace(NUMBER, (number) => hide(number))
    .replace(USER_ID, (userId: string, portfolio: string) => portfolio + hide(userId));

const hide = (name: string): string => HIDDEN.repeat(SHOWN_DIGITS) + name.slice(-SHOWN_DIGITS);

interface Viewer {
  masksNumbers: boolean;
  role: Role;
}

/** How texts are shown in lists: masked for everyone, unless the workspace has switched that off. */
export const listMask = ({ masksNumbers }: Pick<Viewer, 'masksNumbers'>): ((text: string) => string) =>
  masksNumbers ? maskNumbersIn : (text) => text;

/** Whether a member never sees customers' numbers in full: editors see them on the records. */
export const hidesNumbersFrom = ({ masksNumbers, role }: Viewer): boolean =>
  masksNumbers && !hasRole(role, 'editor');

/** How texts are shown on the record itself: in full to editors. */
export const recordMask = (viewer: Viewer): ((text: string) => string) =>
  hidesNumbersFrom(viewer) ? maskNumbersIn : (text) => text;

const SECRET_FIELD =
  /((?:access_token|refresh_token|client_secret|app_secret|input_token|verify_token|code_verifier|fb_exchange_token|password|authorization)["']?\s*[=:]\s*["']?(?:Bearer\s+)?)([^\s"'&,}]+)/gi;
const BEARER = /(\bBearer\s+)([\w.~+/=-]+)/gi;
const LOGIN_CODE = /([?&]code=)([^\s&"']+)/gi;
const HOOK = /(\/hooks\/messaging\/)([\w-]+)/g;

/** A text without the values of tokens, secrets and receiver URLs in it. */
export const maskSecrets = (text: string): string =>
  [SECRET_FIELD, BEARER, LOGIN_CODE, HOOK].reduce(
    (masked, pattern) => masked.replace(pattern, '$1[redacted]'),
    text,
  );
