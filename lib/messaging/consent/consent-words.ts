// Words with which customers stop messages and allow them again. Isomorphic: the form shows them.
import type { ConsentState } from '#lib/messaging/schema/consent-types.ts';
import type { ConsentSettings } from './schema.ts';

/** English, German, Spanish, Portuguese, French, Italian, Dutch, Polish, Turkish. */
const STOP_WORDS = [
  'STOP',
  'STOP ALL',
  'STOPALL',
  'UNSUBSCRIBE',
  'OPT OUT',
  'STOPP',
  'ABMELDEN',
  'ABBESTELLEN',
  'BAJA',
  'DETENER',
  'PARAR',
  'SAIR',
  'ARRÊT',
  'ARRET',
  'DÉSABONNER',
  'DISISCRIVI',
  'AFMELDEN',
  'WYPISZ',
  'İPTAL',
];

const RESUME_WORDS = [
  'START',
  'UNSTOP',
  'SUBSCRIBE',
  'OPT IN',
  'ALTA',
  'INSCREVER',
  'ABONNER',
  'ISCRIVI',
  'BAŞLAT',
];

/** Of a workspace that has not changed them. */
export const CONSENT_DEFAULTS: ConsentSettings = {
  stop_words: STOP_WORDS,
  resume_words: RESUME_WORDS,
  purpose: 'marketing',
  holds_on_echoes: false,
  echo_hold_hours: 24,
  hold_sends: 'suppress',
  hold_deadlines: 'run',
  stop_confirmation: '',
  resume_confirmation: '',
  marketing_limit: null,
};

/** No word is longer, before it is folded: a longer text is compared with none. */
const MAX_TEXT = 60;

/**
 * A text as it is compared: without upper and lower case, composed the same way, without spaces, punctuation and quotation
 * marks at its ends, and with single spaces.
 */
const fold = (text: string): string =>
  text
    .normalize('NFKC')
    .replace(/[İIı]/g, 'i')
    .toLowerCase()
    .replace(/[\s\u200b-\u200f\ufeff]+/g, ' ')
    .replace(/^[\s\p{P}]+|[\s\p{P}]+$/gu, '');

type Words = Pick<ConsentSettings, 'stop_words' | 'resume_words'>;

/** Folded once for all messages that arrive together. */
const known = new WeakMap<Words, ReadonlyMap<string, ConsentState>>();

function foldWords(words: Words): ReadonlyMap<string, ConsentState> {
  const earlier = known.get(words);
  if (earlier) return earlier;
  const { stop_words: stop, resume_words: resume } = words;
  const folded = new Map([
    ...resume.map((word) => [fold(word), 'given'] as const),
    ...stop.map((word) => [fold(word), 'stopped'] as const),
  ]);
  // Only punctuation.
  folded.delete('');
  known.set(words, folded);
  return folded;
}

/** What a whole message of a customer says about consent; undefined: nothing. A text in both lists stops. */
export const readConsentWord = (text: string, words: Words): ConsentState | undefined =>
  text.length > MAX_TEXT ? undefined : foldWords(words).get(fold(text));
