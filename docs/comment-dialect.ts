// Words that comments and documents do not use, and what they say instead. docs/words.test.ts checks them.

/** Closed list: a comment with one of these is rewritten, not just reworded, so that a stranger understands it. */
export const DIALECT: readonly (readonly [pattern: RegExp, write: string])[] = [
  [
    /\b(told|tells?)\b(?! [^.]*\bapart\b)/i,
    'reports, notifies, records, returns, identifies, or who gets what',
  ],
  [/\b(hears?|heard)\b/i, 'receives, listens, subscribes'],
  [/\bwhat (came|comes|became|becomes)\b/i, 'the result, the response, the signals, the outcome'],
  [/\b(came|comes?|became|becomes?) of\b/i, 'outcome, result, status'],
  [/\b(came|comes?) to (nothing|its end|something)\b/i, 'was abandoned, ended, reached'],
  [/\b(goes|went|gone|go) on\b/i, 'continues, resumes'],
  [/\b(lets?|letting) go( of)?\b/i, 'releases'],
  [/\b(stands?|standing) for\b/i, 'represents, replaces, is'],
  [/\bwhoever\b/i, 'anyone who, the caller, the user'],
  [/\bforesaw\b/i, 'internal error, unexpected'],
  [/\ball the same\b/i, 'anyway, still'],
  [/\b(is|are) looked (at|for|up at)\b/i, 'is read, is searched, is checked'],
  [/\b(is|are) handed\b|\bhand(s|ed)? (on|over|in)\b/i, 'gets, passes, forwards, submits'],
  [/\bbr(ing|ings|ought) along\b/i, 'includes, injects'],
  [/\bso (long|often|many|much)\b(?! (as|that))/i, 'timeout, interval, limit'],
  [/\bwhom those\b|\bwhat those\b/i, 'name the text: the error for …, the contact for …'],
  [/\bunder way\b/i, 'in progress, open, pending'],
  [/\bmeanwhile\b/i, 'in the meantime, since then, concurrently'],
  [/\b(somebody|nobody)\b/i, 'another user, a member, no process'],
  [/\b(stands?|standing|stood) still\b/i, 'is suspended, does not move'],
  [/\b(stands?|standing|stood) (in|at|on|under|above|below|beside|behind|before)\b/i, 'is in, is after'],
  [/\b(lies?|lay) (in|at|on|over|beside)\b/i, 'is in, is on'],
  [/\b(is|are|was|were|be) flagged\b/i, 'has an unknown outcome, is marked'],
  [/\ba \w+ of (its|their) own\b/i, 'a separate …, its own …'],
  [/\bby (itself|themselves)\b/i, 'automatically'],
  [/\b(the|than|as) one before\b/i, 'the previous one'],
  [/\b(is|are|was|were) (asked|made) of\b/i, 'is read from, is built from'],
  [/\bwho (comes|calls|looks|asks) /i, 'the caller, the user, the reader'],
];

/** Documents may use these: they are about people. */
export const ALSO_IN_DOCUMENTS = /^(tell|whoever|somebody|nobody|hand(s|ed)? over|so many)$/i;

/** Documents that are checked: the help, and the READMEs of the code. */
export const CHECKED_DOCUMENTS = [
  '{app,bench,components,lib,ops,sandbox,server}/**/*.md',
  'docs/*.md',
  'docs/{decisions,guides,moving,reference,running}/*.md',
  '{CONTRIBUTING,README,SECURITY}.md',
] as const;

/** Folders whose comments are checked. */
export const CHECKED_FOLDERS = [
  '.ci',
  'app',
  'bench',
  'components',
  'docs',
  'e2e',
  'lib',
  'sandbox',
  'server',
] as const;
