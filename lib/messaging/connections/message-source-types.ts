/** A connection as the trigger of a workflow shows it. */
export interface MessageSource {
  id: string;
  name: string;
  /** The workflow runs when a customer writes to one of its numbers. */
  isSubscribed: boolean;
}
