// Rules of hadolint (https://github.com/hadolint/hadolint/wiki) over a parsed Dockerfile, under hadolint's own numbers: the
// program itself is in no package registry. Errors of Docker itself are found by dockerfile-utils.
import {
  type Copy,
  DockerfileParser,
  type From,
  type Instruction,
  type JSONInstruction,
} from 'dockerfile-ast';
import { validate } from 'dockerfile-utils';

export interface Finding {
  line: number;
  /** Hadolint's number, or `syntax`. */
  rule: string;
  message: string;
}

type Check = (instructions: Instruction[], keywords: Keywords) => Instruction[];
type Keywords = (...names: string[]) => Instruction[];

const argumentsOf = (instruction: Instruction): string[] =>
  instruction.getArguments().map((argument) => argument.getValue());
const textOf = (instruction: Instruction): string => instruction.getArgumentsContent() ?? '';
/** The commands of a RUN, each with its words. */
const commandsOf = (run: Instruction): string[][] =>
  textOf(run)
    .replace(/\\\r?\n/g, ' ')
    .split(/&&|\|\||[;|\n]/)
    .map((command) =>
      command
        .trim()
        .split(/\s+/)
        .filter((word) => word !== ''),
    );
const runs =
  (isWrong: (words: string[], text: string) => boolean): Check =>
  (_, of) =>
    of('RUN').filter((run) => commandsOf(run).some((words) => isWrong(words, textOf(run))));
const calls = ([program]: string[], ...names: string[]): boolean => names.includes(program ?? '');
const isInstall = (words: string[]): boolean => calls(words, 'apt-get') && words.includes('install');

/** The image of FROM, with the default value of its argument; `arguments` are those before the first FROM. */
function imageOf(from: Instruction, all: Instruction[]): string {
  const image = (from as From).getImage() ?? '';
  const name = /^\$\{?(\w+)\}?$/.exec(image)?.[1];
  if (name === undefined) return image;
  const given = all.find(
    (other) => other.getKeyword() === 'ARG' && argumentsOf(other)[0]?.startsWith(`${name}=`),
  );
  return argumentsOf(given ?? from)[0]?.slice(name.length + 1) ?? '';
}

const stagesOf = (of: Keywords): (string | null)[] =>
  of('FROM').map((from) => (from as From).getBuildStage());
const tagOf = (image: string): string | undefined => /:([^/:@]+)(@|$)/.exec(image)?.[1];
const lastStage = (all: Instruction[]): Instruction[] =>
  all.slice(all.findLastIndex((instruction) => instruction.getKeyword() === 'FROM'));
const afterTheFirst: (name: string) => Check = (name) => (all) =>
  lastStage(all)
    .filter((instruction) => instruction.getKeyword() === name)
    .slice(1);
const isExecForm = (instruction: Instruction): boolean =>
  (instruction as JSONInstruction).getOpeningBracket() !== null;

const RULES: Record<string, [message: string, check: Check]> = {
  DL3000: [
    'Use an absolute WORKDIR.',
    (_, of) => of('WORKDIR').filter((at) => !/^["']?[/$]/.test(textOf(at))),
  ],
  DL3002: [
    'The last USER must be a number other than 0, so that Kubernetes can check it.',
    (all) => {
      const users = lastStage(all).filter((instruction) => instruction.getKeyword() === 'USER');
      return users.length > 0 && /^[1-9]\d*(:[1-9]\d*)?$/.test(textOf(users.at(-1) as Instruction))
        ? []
        : [users.at(-1) ?? (lastStage(all)[0] as Instruction)];
    },
  ],
  DL3003: ['Use WORKDIR instead of cd.', runs((words) => calls(words, 'cd'))],
  DL3004: ['Do not use sudo.', runs((words) => calls(words, 'sudo'))],
  DL3006: [
    'Name the version of the base image.',
    (all, of) =>
      of('FROM').filter((from) => {
        const image = imageOf(from, all);
        return (
          image !== 'scratch' &&
          !stagesOf(of).includes(image) &&
          tagOf(image) === undefined &&
          !image.includes('@')
        );
      }),
  ],
  DL3007: [
    'Do not use the tag latest.',
    (all, of) => of('FROM').filter((from) => tagOf(imageOf(from, all)) === 'latest'),
  ],
  DL3009: [
    'Delete the lists of apt-get after installing.',
    runs((words, text) => isInstall(words) && !/rm\s+-rf?\s+\/var\/lib\/apt\/lists/.test(text)),
  ],
  DL3011: [
    'Expose ports from 1 to 65535.',
    (_, of) =>
      of('EXPOSE').filter((at) =>
        argumentsOf(at).some(
          (port) => !(Number.parseInt(port, 10) >= 1 && Number.parseInt(port, 10) <= 65_535),
        ),
      ),
  ],
  DL3012: ['Use one HEALTHCHECK.', afterTheFirst('HEALTHCHECK')],
  DL3014: [
    'Use apt-get install -y.',
    runs(
      (words) => isInstall(words) && !words.some((word) => /^(-y|--yes|--assume-yes|-qq|-q=2)$/.test(word)),
    ),
  ],
  DL3015: [
    'Use apt-get install --no-install-recommends.',
    runs((words) => isInstall(words) && !words.includes('--no-install-recommends')),
  ],
  DL3016: [
    'Pin versions in npm install.',
    runs(
      (words) =>
        calls(words, 'npm') &&
        words.some((word) => word === 'install' || word === 'i') &&
        words.slice(2).some((word) => /^@?[a-z]/i.test(word) && !/.@/.test(word)),
    ),
  ],
  DL3020: [
    'Use COPY instead of ADD for files and folders.',
    (_, of) => of('ADD').filter((add) => !/https?:/.test(textOf(add))),
  ],
  DL3021: [
    'COPY of several things needs a folder that ends with /.',
    (_, of) =>
      of('COPY').filter((copy) => argumentsOf(copy).length > 2 && !argumentsOf(copy).at(-1)?.endsWith('/')),
  ],
  DL3022: [
    'COPY --from names a stage before it.',
    (all, of) =>
      of('COPY').filter((copy) => {
        const from = (copy as Copy).getFromFlag()?.getValue();
        if (from === undefined || from === null) return false;
        const before = all.slice(0, all.indexOf(copy)).filter((other) => other.getKeyword() === 'FROM');
        return !before.some((stage) => (stage as From).getBuildStage() === from);
      }),
  ],
  DL3024: [
    'Names of stages are unique.',
    (_, of) => {
      const names = stagesOf(of);
      return of('FROM').filter((_from, index) => names[index] && names.indexOf(names[index]) !== index);
    },
  ],
  DL3025: [
    'Write CMD and ENTRYPOINT as JSON: then the process gets the signals itself.',
    (_, of) => of('CMD', 'ENTRYPOINT').filter((at) => !isExecForm(at)),
  ],
  DL3027: ['Use apt-get instead of apt.', runs((words) => calls(words, 'apt'))],
  DL3045: [
    'COPY to a relative place needs a WORKDIR before it.',
    (all, of) =>
      of('COPY').filter((copy) => {
        const before = all.slice(0, all.indexOf(copy));
        const stage = before.slice(before.findLastIndex((other) => other.getKeyword() === 'FROM'));
        const isAbsolute = /^["']?[/$]/.test(argumentsOf(copy).at(-1) ?? '');
        return !isAbsolute && !stage.some((other) => other.getKeyword() === 'WORKDIR');
      }),
  ],
  DL3046: [
    'useradd with a large number needs -l.',
    runs(
      (words) =>
        calls(words, 'useradd') && words.some((word) => /^\d{6,}$/.test(word)) && !words.includes('-l'),
    ),
  ],
  DL3057: [
    'A HEALTHCHECK is missing.',
    (all) =>
      lastStage(all).some((instruction) => instruction.getKeyword() === 'HEALTHCHECK')
        ? []
        : [lastStage(all)[0] as Instruction],
  ],
  DL3061: [
    'A Dockerfile begins with FROM or ARG.',
    (all) => all.slice(0, 1).filter((first) => !['FROM', 'ARG'].includes(first.getKeyword())),
  ],
  DL4000: ['MAINTAINER is gone: use a LABEL.', (_, of) => of('MAINTAINER')],
  DL4003: ['Use one CMD.', afterTheFirst('CMD')],
  DL4004: ['Use one ENTRYPOINT.', afterTheFirst('ENTRYPOINT')],
  DL4006: [
    'Set pipefail before a RUN with a pipe.',
    (_, of) => of('RUN').filter((run) => /[^|]\|[^|]/.test(textOf(run)) && of('SHELL').length === 0),
  ],
};

export const RULE_NAMES: readonly string[] = Object.keys(RULES);

/** All problems of a Dockerfile, in the order of its lines. */
export function lintDockerfile(text: string): Finding[] {
  const all = DockerfileParser.parse(text).getInstructions();
  const of: Keywords = (...names) => all.filter((instruction) => names.includes(instruction.getKeyword()));
  const broken = validate(text).map(({ range, message }) => ({
    line: range.start.line + 1,
    rule: 'syntax',
    message: typeof message === 'string' ? message : message.value,
  }));
  const found = Object.entries(RULES).flatMap(([rule, [message, check]]) =>
    check(all, of).map((at) => ({ line: at.getRange().start.line + 1, rule, message })),
  );
  return [...broken, ...found].sort((one, other) => one.line - other.line);
}
