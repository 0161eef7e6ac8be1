/** The phone of a customer in the sandbox; all phones where the number is not known or is masked. */
export const phoneHref = (sandboxUrl: string, recipient = ''): string =>
  `${sandboxUrl.replace(/\/+$/, '')}/${/^\d+$/.test(recipient) ? `phone/${recipient}` : ''}`;
