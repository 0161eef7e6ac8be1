import { bulkAnnouncement } from './campaigns.ts';
import { autoReply, leadWelcome, mediaOnRequest } from './conversations.ts';
import { appointmentRebooking, deliveryFeedback, optIn, orderStatus } from './dialogues.ts';
import { redirectAfterForm, statusReport } from './integration.ts';
import { abandonedCart, appointmentReminder, orderConfirmation } from './orders.ts';
import { messagesToInbox, repliesFromInbox } from './inbox.ts';
import { leadQualification } from './hand-over.ts';
import { morningReminders, tableReservation } from './visits.ts';
import { lacksSender } from '#lib/tasks/fill-sender.ts';
import type { Starter } from './build.ts';

/** The gallery, in display order. */
export const STARTERS: readonly Starter[] = [
  orderConfirmation,
  appointmentRebooking,
  autoReply,
  orderStatus,
  tableReservation,
  deliveryFeedback,
  optIn,
  leadWelcome,
  abandonedCart,
  bulkAnnouncement,
  morningReminders,
  appointmentReminder,
  statusReport,
  redirectAfterForm,
  mediaOnRequest,
  leadQualification,
  messagesToInbox,
  repliesFromInbox,
];

/** Ids of those with tasks that need a connection. */
export const SENDING_STARTERS: readonly string[] = STARTERS.filter(({ graph }) =>
  graph.tasks.some(lacksSender),
).map(({ id }) => id);

/** Undefined when there is none of this id. */
export const findStarter = (id: string): Starter | undefined => STARTERS.find((starter) => starter.id === id);
