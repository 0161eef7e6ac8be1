import type { ActionResult } from '#lib/identity/auth/action-types.ts';
import type { ConnectionSubscription } from '#lib/messaging/connections/schema.ts';
import type { StartLogin } from './connect-button.tsx';
import type { Recheck } from './use-recheck.ts';

type Action<Input, Data = void> = (input: Input) => Promise<ActionResult<Data>>;

/** Server actions of a connection's screen. */
export interface ConnectionActions {
  startLogin: StartLogin;
  recheckConnections: Recheck;
  renameConnection: Action<{ id: string; name: string }>;
  deleteConnection: Action<{ id: string }>;
  sendTestMessage: Action<
    {
      id: string;
      phoneNumberId: string;
      recipient: string;
      message: { text: string } | { templateName: string; language?: string };
    },
    { messageId: string }
  >;
  registerPhoneNumber: Action<{ id: string; phoneNumberId: string; pin: string }>;
  subscribeNotifications: Action<{ id: string }>;
  unsubscribeNotifications: Action<{ id: string }>;
  putSubscription: Action<ConnectionSubscription & { id: string }>;
  removeSubscription: Action<{ id: string; workflowId: string }>;
}
