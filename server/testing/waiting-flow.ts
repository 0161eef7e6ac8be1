/** API input for a published workflow: it waits, and then sets the `who` of the body. */
export const waitingFlow = (name: string, seconds: number): object => ({
  name,
  publish: true,
  tasks: [
    { id: 1, type: 'inbound_webhook', name: 'Trigger', settings: {} },
    { id: 2, type: 'delay', name: 'Wait', settings: { amount: seconds, unit: 'seconds' } },
    {
      id: 3,
      type: 'set_variables',
      name: 'Text',
      settings: { variables: [{ name: 'who', value: '{{task_1_who}}' }] },
    },
  ],
  edges: [
    { from: 1, to: 2 },
    { from: 2, to: 3 },
  ],
});
