// Converts a curl command into settings, so that examples of API documentation can be pasted.
import type { Reading } from '#lib/core/errors.ts';
import { isOwnHeader } from '#lib/core/http/own-headers.ts';

interface Command {
  method: string | undefined;
  url: string | undefined;
  headers: { name: string; value: string }[];
  data: string[];
  isJson: boolean;
  sendsDataAsQuery: boolean;
  seconds: number | undefined;
}

type Read = (command: Command, value: string) => string | undefined;

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'];
const MAX_SECONDS = 120;

const addData: Read = (command, value) => {
  if (value.startsWith('@'))
    return `The body is read from the file "${value.slice(1)}": put its content into the command instead.`;
  command.data.push(value);
  return undefined;
};

const addHeader: Read = ({ headers }, value) => {
  const at = value.indexOf(':');
  const name = value.slice(0, at === -1 ? value.length : at).trim();
  const text = at === -1 ? '' : value.slice(at + 1).trim();
  if (text !== '' && !isOwnHeader(name)) headers.push({ name, value: text });
  return undefined;
};

const header =
  (name: string): Read =>
  (command, value) =>
    addHeader(command, `${name}: ${value}`);

const encodeData: Read = (command, value) => {
  const [, name = '', text = ''] = /^([^=@]*)=?([\s\S]*)$/.exec(value) ?? [];
  const written = value.includes('=') ? text : name;
  const encoded = encodeURIComponent(written);
  return addData(command, value.includes('=') && name !== '' ? `${name}=${encoded}` : encoded);
};

/** Options with a value; all others have none and are ignored. */
const WITH_VALUE: Readonly<Record<string, Read>> = {
  '-X': (command, value) => void (command.method = value.toUpperCase()),
  '-H': addHeader,
  '-d': addData,
  '--data-urlencode': encodeData,
  '--json': (command, value) => {
    command.isJson = true;
    return addData(command, value);
  },
  '-u': (command, value) => addHeader(command, `Authorization: Basic ${toBase64(value)}`),
  '-A': header('User-Agent'),
  '-e': header('Referer'),
  '-b': header('Cookie'),
  '-m': (command, value) => void (command.seconds = Number(value)),
  '--url': (command, value) => void (command.url ??= value),
  '-F': () => 'Forms with files (-F) cannot be sent: use -d, or send the file by a public URL.',
  '-T': () => 'Files (-T) cannot be sent: put the content into the command with -d.',
};

const IGNORED_WITH_VALUE = [
  '-o',
  '-w',
  '-x',
  '-c',
  '-E',
  '--connect-timeout',
  '--retry',
  '--max-redirs',
  '--cacert',
  '--resolve',
];

const LONG: Readonly<Record<string, string>> = {
  '--request': '-X',
  '--header': '-H',
  '--data': '-d',
  '--data-raw': '-d',
  '--data-ascii': '-d',
  '--data-binary': '-d',
  '--user': '-u',
  '--user-agent': '-A',
  '--referer': '-e',
  '--cookie': '-b',
  '--max-time': '-m',
  '--form': '-F',
  '--form-string': '-F',
  '--upload-file': '-T',
  '--output': '-o',
  '--write-out': '-w',
  '--proxy': '-x',
  '--cookie-jar': '-c',
  '--cert': '-E',
  '--get': '-G',
  '--head': '-I',
};

/** The settings of the request that a curl command sends. */
export function parseCurl(text: string): Reading<Record<string, unknown>> {
  const words = splitShellWords(text.trim().replace(/^\$\s+/, ''));
  if (words.problem !== undefined) return words;
  const [program, ...rest] = words.value;
  if (program !== 'curl') return { problem: 'Paste a command that starts with curl.' };
  const command: Command = {
    method: undefined,
    url: undefined,
    headers: [],
    data: [],
    isJson: false,
    sendsDataAsQuery: false,
    seconds: undefined,
  };
  const problem = readOptions(command, rest);
  if (problem !== undefined) return { problem };
  return toSettings(command);
}

function readOptions(command: Command, words: readonly string[]): string | undefined {
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index] ?? '';
    if (!word.startsWith('-') || word === '-') {
      command.url ??= word;
      continue;
    }
    const { option, attached } = splitOption(word);
    if (option === '-G') command.sendsDataAsQuery = true;
    if (option === '-I') command.method ??= 'HEAD';
    const read = WITH_VALUE[option];
    if (!read && !IGNORED_WITH_VALUE.includes(option)) continue;
    if (attached === undefined) index += 1;
    const value = attached ?? words[index];
    if (value === undefined) return `The option ${word} has no value.`;
    const problem = read?.(command, value);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

/** `-XPOST` and `--request=POST` are options with their value. */
function splitOption(word: string): { option: string; attached: string | undefined } {
  if (word.startsWith('--')) {
    const [name = '', ...value] = word.split('=');
    return { option: LONG[name] ?? name, attached: value.length === 0 ? undefined : value.join('=') };
  }
  const short = word.slice(0, 2);
  const takesValue = short in WITH_VALUE || IGNORED_WITH_VALUE.includes(short);
  // Short options without a value can be combined: `-sSL`, `-sXPOST`.
  if (!takesValue && word.length > 2 && word !== short) return splitOption(`-${word.slice(2)}`);
  return { option: short, attached: takesValue && word.length > 2 ? word.slice(2) : undefined };
}

function toSettings(command: Command): Reading<Record<string, unknown>> {
  if (command.url === undefined) return { problem: 'The command has no URL.' };
  const data = command.data.join(command.isJson ? '' : '&');
  const hasBody = command.data.length > 0 && !command.sendsDataAsQuery;
  const method = command.method ?? (hasBody ? 'POST' : 'GET');
  if (!METHODS.includes(method)) return { problem: `The method ${method} cannot be sent.` };
  const address = /^[a-z][a-z0-9+.-]*:\/\/|^\{\{/i.test(command.url) ? command.url : `http://${command.url}`;
  const isQuery = command.sendsDataAsQuery && data !== '';
  const url = isQuery ? `${address}${address.includes('?') ? '&' : '?'}${data}` : address;
  const { bodyType, headers } = typeOfBody(command, hasBody ? data : undefined);
  const { seconds } = command;
  const isTime = seconds !== undefined && seconds > 0;
  return {
    value: {
      method,
      url,
      query: [],
      headers,
      body_type: bodyType,
      body: hasBody ? data : '',
      ...(isTime ? { timeout_seconds: Math.min(seconds, MAX_SECONDS) } : {}),
    },
  };
}

/** The task sets the header for JSON and forms; that of other types is kept. */
function typeOfBody(
  { headers, isJson }: Command,
  data: string | undefined,
): { bodyType: string; headers: Command['headers'] } {
  if (data === undefined) return { bodyType: 'none', headers };
  const isType = ({ name }: { name: string }) => name.toLowerCase() === 'content-type';
  const type = headers.find(isType)?.value.toLowerCase() ?? '';
  const others = headers.filter((each) => !isType(each));
  if (isJson || type.startsWith('application/json') || (type === '' && isJsonText(data)))
    return { bodyType: 'json', headers: others };
  if (type === '' || type.startsWith('application/x-www-form-urlencoded'))
    return { bodyType: 'form', headers: others };
  return { bodyType: 'text', headers };
}

function isJsonText(text: string): boolean {
  if (!/^\s*[{[]/.test(text)) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Like curl: the bytes of UTF-8. */
export const toBase64 = (text: string): string =>
  btoa(String.fromCharCode(...new TextEncoder().encode(text)));

const ESCAPES: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  "'": "'",
  '"': '"',
  '\\': '\\',
};

/** Splits a command into words like a POSIX shell, with `$'…'`; nothing is expanded. */
export function splitShellWords(text: string): Reading<string[]> {
  const words: string[] = [];
  let word: string | undefined;
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charAt(at);
    if (/\s/.test(character)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else if (character === '\\') {
      at += 1;
      // A line continuation; Windows has two characters at the end of lines.
      if (text.startsWith('\r\n', at)) at += 1;
      else if (text.charAt(at) !== '\n') word = (word ?? '') + text.charAt(at);
    } else if (character === "'" || character === '"' || text.startsWith("$'", at)) {
      const quoted = readQuoted(text, at);
      if (!quoted) return { problem: `A quote that opens at character ${at + 1} is not closed.` };
      word = (word ?? '') + quoted.value;
      at = quoted.end;
    } else word = (word ?? '') + character;
  }
  if (word !== undefined) words.push(word);
  return { value: words };
}

function readQuoted(text: string, from: number): { value: string; end: number } | undefined {
  const isAnsi = text.charAt(from) === '$';
  const quote = isAnsi ? "'" : text.charAt(from);
  let value = '';
  for (let at = from + (isAnsi ? 2 : 1); at < text.length; at += 1) {
    const character = text.charAt(at);
    if (character === quote) return { value, end: at };
    if (character !== '\\' || (quote === "'" && !isAnsi)) {
      value += character;
      continue;
    }
    at += 1;
    const next = text.charAt(at);
    if (isAnsi) value += ESCAPES[next] ?? `\\${next}`;
    else if (next !== '\n') value += '"\\$`'.includes(next) ? next : `\\${next}`;
  }
  return undefined;
}
