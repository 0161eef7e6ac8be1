/** A setting that cannot be used, by its name, and what is wrong with it. */
export interface SettingProblem {
  name: string;
  message: string;
}

/** Its message names every wrong setting, and what is wrong with it. */
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
