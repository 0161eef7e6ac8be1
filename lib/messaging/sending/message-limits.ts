// The platform's limits for messages other than texts (docs/messaging.md, "What can be sent"). Isomorphic: forms, drafts and
// messages are checked by the same rules.

/** In characters unless noted. */
export const MESSAGE_LIMITS = {
  text: 4096,
  body: { buttons: 1024, list: 4096, cta_url: 1024, location_request: 1024 },
  headerText: 60,
  footer: 60,
  /** Number of items. */
  buttons: 3,
  buttonTitle: 20,
  buttonId: 256,
  /** Number of rows, over all sections. */
  rows: 10,
  rowTitle: 24,
  rowDescription: 72,
  rowId: 200,
  sectionTitle: 24,
  listButton: 20,
  urlLabel: 20,
} as const;

export interface MessageProblem {
  /** Path of a setting: keys and indexes. */
  path: readonly (string | number)[];
  message: string;
  /** The value is missing. */
  isMissing: boolean;
}

type Path = MessageProblem['path'];

export interface CheckedChoice {
  /** Empty: the label is used. */
  id?: string;
  title: string;
  description?: string;
}

/** Collects all problems for which the platform would refuse the message. */
export class MessageCheck {
  readonly problems: MessageProblem[] = [];
  readonly #isKnown: (text: string) => boolean;

  /** @param isKnown whether a text is final; length and form are only checked then */
  constructor(isKnown: (text: string) => boolean) {
    this.#isKnown = isKnown;
  }

  report(path: Path, message: string, isMissing = false): void {
    this.problems.push({ path, message, isMissing });
  }

  /** @param prompt what to do, such as "Enter a text." */
  required(path: Path, text: string, prompt: string): void {
    if (text.trim() === '') this.report(path, prompt, true);
  }

  /** @param what subject of the sentence, such as "The footer" */
  most(path: Path, what: string, text: string, most: number): void {
    if (this.#isKnown(text) && text.length > most)
      this.report(path, `${what} has ${text.length} characters: at most ${most} are possible.`);
  }

  /** Checks a non-empty, final text. @param read returns the problem */
  readable(path: Path, text: string, read: (text: string) => string | undefined): void {
    if (text.trim() === '' || !this.#isKnown(text)) return;
    const problem = read(text.trim());
    if (problem !== undefined) this.report(path, problem);
  }

  /** Reply buttons: one to three, each with a label and its own id. @param at their setting */
  buttons(at: string, buttons: readonly CheckedChoice[]): void {
    const { buttons: most, buttonTitle: title, buttonId: id } = MESSAGE_LIMITS;
    this.#choices(at, buttons, { what: 'button', most, title, id });
  }

  /** Rows of a list: one to ten. @param at their setting */
  rows(at: string, rows: readonly CheckedChoice[]): void {
    const { rows: most, rowTitle: title, rowId: id, rowDescription } = MESSAGE_LIMITS;
    this.#choices(at, rows, { what: 'row', most, title, id });
    rows.forEach(({ description = '' }, place) =>
      this.most([at, place, 'description'], 'The description', description, rowDescription),
    );
  }

  #choices(
    at: string,
    choices: readonly CheckedChoice[],
    { what, most, title: mostTitle, id: mostId }: { what: string; most: number; title: number; id: number },
  ): void {
    if (choices.length === 0) this.report([at], `Add a ${what}.`, true);
    if (choices.length > most) this.report([at], `At most ${most} ${what}s are possible.`);
    const titles = new Set<string>();
    const ids = new Set<string>();
    choices.forEach((choice, place) => {
      const title = choice.title.trim();
      const id = choice.id?.trim() || title;
      this.required([at, place, 'title'], title, 'Enter a label.');
      this.most([at, place, 'title'], 'The label', title, mostTitle);
      this.most([at, place, 'id'], 'The ID', id, mostId);
      if (title !== '' && titles.has(title))
        this.report([at, place, 'title'], `Two ${what}s are called "${title}": each needs its own label.`);
      else if (id !== '' && ids.has(id))
        this.report([at, place, 'id'], `Two ${what}s have the ID "${id}": each needs its own.`);
      titles.add(title);
      ids.add(id);
    });
  }
}
