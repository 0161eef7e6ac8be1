/** Exceptions from the general rule: actions whose last part is more than a verb. */
const SENTENCES: Readonly<Record<string, string>> = {
  'alert_settings.changed': 'Changed alert settings',
  'break_glass.signed_in': 'Signed in as a break-glass owner',
  'connection.number_registered': 'Registered a phone number',
  'connection.workflow_added': 'Connected a workflow',
  'connection.workflow_removed': 'Disconnected a workflow',
  'member.joined': 'Joined the workspace',
  'member.left': 'Left the workspace',
  'member.role_changed': 'Changed a member’s role',
  'password.changed': 'Changed the password',
  'run.marked_done': 'Marked a task as done',
  'run.resent': 'Sent again in a run',
  'session.others_ended': 'Signed out of other browsers',
  'session.ended': 'Signed out of a browser',
  'sign_in_policy.changed': 'Changed how people sign in',
  'password.reset': 'Reset the password',
  'two_factor.disabled': 'Turned off two-factor authentication',
  'two_factor.enabled': 'Turned on two-factor authentication',
  'two_factor.recovery_code_used': 'Used a recovery code',
  'two_factor.recovery_codes_created': 'Created recovery codes',
  'two_factor.removed': 'Removed two-factor authentication',
  'workflow.alerts_changed': 'Changed alerts of a workflow',
  'workflow.draft_replaced': 'Replaced a draft',
  'workflow.draft_run': 'Ran a draft',
  'workflow.urls_rotated': 'Rotated the URLs of a workflow',
  'workspace.claimed': 'Created the first account',
  'workspace.group_roles_changed': 'Changed the roles of groups',
  'workspace.numbers_masked': 'Masked phone numbers',
  'workspace.numbers_shown': 'Showed phone numbers',
  'workspace.renamed': 'Renamed the workspace',
  'workspace.two_factor_optional': 'Made two-factor authentication optional',
  'workspace.two_factor_required': 'Required two-factor authentication',
  'workspace.webhook_rate_changed': 'Changed the webhook rate limit',
};

/** `workflow.published` → "Published a workflow": derived from the action's name. */
export function describeAction(action: string): string {
  const sentence = Object.hasOwn(SENTENCES, action) ? SENTENCES[action] : undefined;
  if (sentence !== undefined) return sentence;
  const [noun = '', verb = ''] = action.split('.').map(toWords);
  if (verb === '' || verb.includes(' ')) return capitalize(`${noun} ${verb}`.trim());
  return `${capitalize(verb)} ${/^[aeio]|^API/.test(noun) ? 'an' : 'a'} ${noun}`;
}

const toWords = (part: string): string => part.replace(/_+/g, ' ').replace(/\bapi\b/g, 'API');

const capitalize = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1);
