// The numbered steps of a guide, and the documented output of a command after each of them.

export interface GuideStep {
  number: number;
  title: string;
  /** Documented lines of `patchbay doctor --live` after the step; `…` matches anything. */
  findings: string[];
  /** Names of the settings that its commands set. */
  settings: string[];
}

const HEADING = /^## (\d+)\. (.+)$/;
/** One line for people of a finding (server/cli/findings.ts). */
const FINDING = /^[✓!✗] /;
const SETTING = /^export (\w+)=/;

/** @param text Markdown. Its numbered headings of the second level are the steps; the other ones end a step. */
export function readGuideSteps(text: string): GuideStep[] {
  const steps: GuideStep[] = [];
  let step: GuideStep | undefined;
  for (const line of text.split('\n')) {
    if (line.startsWith('## ')) {
      const [, number, title = ''] = HEADING.exec(line) ?? [];
      step = number === undefined ? undefined : { number: Number(number), title, findings: [], settings: [] };
      if (step) steps.push(step);
    }
    if (FINDING.test(line)) step?.findings.push(line);
    const [, setting] = SETTING.exec(line) ?? [];
    if (setting !== undefined) step?.settings.push(setting);
  }
  return steps;
}

/** Whether a documented line is among the printed ones. */
export function isPrinted(promised: string, lines: readonly string[]): boolean {
  const parts = promised.split('…').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`));
  const pattern = new RegExp(`^${parts.join('.*')}$`, 's');
  return lines.some((line) => pattern.test(line));
}
