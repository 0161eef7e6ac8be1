'use client';
import { Checkbox } from '#components/ui/checkbox.tsx';
import { Field } from '#components/ui/field.tsx';
import { Input } from '#components/ui/input.tsx';

const KEY = 'patchbay.own-number';

/** The last number used in this browser. */
export function readOwnNumber(): string {
  try {
    return localStorage.getItem(KEY) ?? '';
  } catch {
    return '';
  }
}

export function saveOwnNumber(number: string): void {
  try {
    localStorage.setItem(KEY, number);
  } catch {
    // Without storage, the browser asks again next time.
  }
}

export interface DraftEffectsProps {
  sends: boolean;
  setSends: (sends: boolean) => void;
  ownNumber: string;
  setOwnNumber: (number: string) => void;
  callsServices: boolean;
  setCallsServices: (calls: boolean) => void;
  error: string | undefined;
}

/** Side effects to let through in a run of the draft; none by default. */
export const DraftEffects = ({
  sends,
  setSends,
  callsServices,
  setCallsServices,
  ...props
}: DraftEffectsProps) => (
  <fieldset className="flex flex-col gap-3">
    <legend className="mb-2 text-sm font-medium">What is sent</legend>
    <p className="text-sm text-muted">
      Messages, and requests that change something, are shown to you instead of being sent. Nothing is sent
      unless you choose it here. Requests that only read (GET) are made.
    </p>
    <Checkbox
      label="Send messages for real, to my own number"
      help="All messages of this run go to your number, whoever they are addressed to."
      checked={sends}
      onCheckedChange={setSends}
    />
    {sends && (
      <Field label="Your number" help="With its country code." error={props.error} required>
        <Input
          type="tel"
          autoComplete="tel"
          value={props.ownNumber}
          onChange={({ target }) => props.setOwnNumber(target.value)}
        />
      </Field>
    )}
    <Checkbox
      label="Send HTTP requests that change something (POST, PUT, PATCH, DELETE)"
      checked={callsServices}
      onCheckedChange={setCallsServices}
    />
  </fieldset>
);
