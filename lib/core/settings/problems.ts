/** A setting that cannot be used: its name and what is wrong with it. */
export interface SettingProblem {
  name: string;
  message: string;
}

/** The message lists every invalid setting. */
export class SettingsError extends Error {
  readonly problems: readonly SettingProblem[];

  constructor(problems: readonly SettingProblem[]) {
    super(
      `These settings cannot be used:\n${problems.map(({ name, message }) => `  ${name}: ${message}`).join('\n')}`,
    );
    this.problems = problems;
  }
}

/** Settings by their names. */
export type Environment = Record<string, string | undefined>;
