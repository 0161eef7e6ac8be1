'use client';
import { Card } from '#components/ui/card.tsx';
import { Checkbox } from '#components/ui/form/checkbox.tsx';
import { Field } from '#components/ui/form/field.tsx';
import { Input } from '#components/ui/form/input.tsx';
import { Select } from '#components/ui/form/select.tsx';
import { TEMPLATE_LIMITS } from '#lib/messaging/message-templates/schema/components.ts';
import { CODE_MINUTES, type OtpType } from '#lib/messaging/message-templates/schema/validate-preset.ts';
import type { OtpDraft } from './template-draft.ts';
import type { PartProps } from './template-form-parts.tsx';

const OTP_OPTIONS: { value: OtpType; label: string; description: string }[] = [
  { value: 'COPY_CODE', label: 'Copy code', description: 'The customer copies the code into your app.' },
  { value: 'ONE_TAP', label: 'One tap', description: 'A tap opens your Android app with the code.' },
  { value: 'ZERO_TAP', label: 'No tap', description: 'Your Android app receives the code automatically.' },
];

/** The options of an authentication template: the platform writes its text, in the template's language. */
export function TemplateCode({ otp, change, problemOf }: PartProps & { otp: OtpDraft }) {
  const set = (part: Partial<OtpDraft>) => change({ otp: { ...otp, ...part } });
  const button = (field: string) => problemOf(`BUTTONS.buttons[0].${field}`);
  return (
    <Card title="Message">
      <div className="flex flex-col gap-5">
        <p className="text-sm text-muted">
          The platform writes the text of sign-in codes, and translates it. You choose what it says.
        </p>
        <Checkbox
          label="Security advice: do not share this code"
          checked={otp.isSafer}
          onCheckedChange={(isSafer) => set({ isSafer })}
        />
        <Field
          label="Code expires after"
          help={`Minutes, from ${CODE_MINUTES.least} to ${CODE_MINUTES.most}. Leave empty to say nothing about it.`}
          error={problemOf('FOOTER.code_expiration_minutes')}
          className="sm:w-56"
        >
          <Input
            inputMode="numeric"
            value={otp.expiresAfter}
            onChange={({ target }) => set({ expiresAfter: target.value })}
          />
        </Field>
        <fieldset className="grid gap-4 sm:grid-cols-2">
          <legend className="mb-1.5 text-sm font-medium">Button with the code</legend>
          <Field label="How customers use the code">
            <Select
              value={otp.type}
              onValueChange={(value) =>
                set({ type: OTP_OPTIONS.find((each) => each.value === value)?.value ?? otp.type })
              }
              options={OTP_OPTIONS}
            />
          </Field>
          <Field label="Button text" help="Leave empty for “Copy code”." error={button('text')}>
            <Input
              value={otp.buttonText}
              maxLength={TEMPLATE_LIMITS.buttonText}
              onChange={({ target }) => set({ buttonText: target.value })}
            />
          </Field>
          {otp.type === 'ONE_TAP' && (
            <Field
              label="Text of the autofill button"
              help="Leave empty for “Autofill”."
              error={button('autofill_text')}
            >
              <Input
                value={otp.autofillText}
                maxLength={TEMPLATE_LIMITS.buttonText}
                onChange={({ target }) => set({ autofillText: target.value })}
              />
            </Field>
          )}
          {otp.type !== 'COPY_CODE' && <App otp={otp} set={set} button={button} />}
        </fieldset>
        {otp.type === 'ZERO_TAP' && (
          <div>
            <Checkbox
              label="My company accepts the platform’s terms for codes without a tap"
              checked={otp.acceptsTerms}
              onCheckedChange={(acceptsTerms) => set({ acceptsTerms })}
            />
            {button('zero_tap_terms_accepted') && (
              <p role="alert" className="mt-1 text-sm text-danger">
                {button('zero_tap_terms_accepted')}
              </p>
            )}
          </div>
        )}
      </div>
    </Card>
  );
}

function App({
  otp,
  set,
  button,
}: {
  otp: OtpDraft;
  set: (part: Partial<OtpDraft>) => void;
  button: (field: string) => string | undefined;
}) {
  const missing = button('supported_apps');
  return (
    <>
      <Field label="Package name of the app" error={button('supported_apps[0].package_name') ?? missing}>
        <Input
          value={otp.packageName}
          placeholder="e.g. com.example.shop"
          autoCapitalize="none"
          onChange={({ target }) => set({ packageName: target.value })}
        />
      </Field>
      <Field
        label="Signature hash of the app"
        help="Your app’s developers know it."
        error={button('supported_apps[0].signature_hash') ?? missing}
      >
        <Input
          value={otp.signatureHash}
          autoCapitalize="none"
          onChange={({ target }) => set({ signatureHash: target.value })}
        />
      </Field>
    </>
  );
}
