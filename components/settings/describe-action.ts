/** `workflow.published` → "Workflow published": actions are words already, whoever records them. */
export function describeAction(action: string): string {
  const words = action
    .replace(/[._]+/g, ' ')
    .replace(/\bapi\b/g, 'API')
    .replace('two factor', 'two-factor');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
