/** URL of a customer's phone in the sandbox; of all phones where the number is unknown or masked. */
export const phoneHref = (sandboxUrl: string, recipient = ''): string =>
  `${sandboxUrl.replace(/\/+$/, '')}/${/^\d+$/.test(recipient) ? `phone/${recipient}` : ''}`;
