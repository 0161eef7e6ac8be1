import type { TaskExample } from '#lib/tasks/task-example.ts';

export const customerConsentExample: TaskExample = {
  says: 'Records that a customer agreed to marketing messages, as a form of another system reports it.',
  event: { customer: { phone: '15550103009' } },
  settings: {
    action: 'set_consent',
    recipient: '{{task_1_customer_phone}}',
    consent_purpose: 'marketing',
    consent_state: 'given',
  },
  output: { action: 'set_consent', recipient: '15550103009', purpose: 'marketing', state: 'given' },
};
