import { toast } from '#components/ui/toaster.tsx';
import type { ActionError } from '#lib/identity/auth/action-types.ts';

const MAX_SHOWN = 3;

/** Shows an error, with its first problems by path. */
export function showActionError({ message, problems }: ActionError): void {
  const shown = problems.filter((problem) => problem.message !== message).slice(0, MAX_SHOWN);
  const description = shown.map((problem) =>
    problem.path ? `${problem.path}: ${problem.message}` : problem.message,
  );
  toast.error(message, description.length > 0 ? { description: description.join('\n') } : undefined);
}
