'use client';
import { Card } from '#components/ui/card.tsx';
import { Field } from '#components/ui/field.tsx';
import { Input } from '#components/ui/input.tsx';
import { Select } from '#components/ui/select.tsx';
import { CATEGORIES, TEMPLATE_LIMITS } from '#lib/messaging/message-templates/schema/components.ts';
import { codeTitle } from '#lib/messaging/schema/number-words.ts';
import { EMPTY_OTP } from './template-draft.ts';
import type { PartProps } from './template-form-parts.tsx';

const CATEGORY_HELP: Record<string, string> = {
  MARKETING: 'Offers, news, invitations',
  UTILITY: 'Updates customers expect: orders, appointments',
  AUTHENTICATION: 'Sign-in codes; the platform writes the text',
};

/** Name, category and language. @param isFixed of a template that exists they stay */
export const TemplateBasics = ({ draft, change, problemOf, isFixed }: PartProps & { isFixed: boolean }) => (
  <Card title="Details">
    <div className="grid gap-4 sm:grid-cols-2">
      <Field
        label="Name"
        help="Lowercase letters and underscores."
        error={problemOf('name')}
        className="sm:col-span-2"
      >
        <Input
          value={draft.name}
          placeholder="e.g. order_update"
          maxLength={TEMPLATE_LIMITS.name}
          autoCapitalize="none"
          disabled={isFixed}
          onChange={({ target }) => change({ name: target.value })}
        />
      </Field>
      <Field label="Category" error={problemOf('category')}>
        <Select
          value={draft.category}
          disabled={isFixed}
          onValueChange={(category) =>
            change({ category, otp: category === 'AUTHENTICATION' ? (draft.otp ?? EMPTY_OTP) : null })
          }
          options={CATEGORIES.map((value) => ({
            value,
            label: codeTitle(value),
            description: CATEGORY_HELP[value],
          }))}
        />
      </Field>
      <Field label="Language" help="A code such as en_US or de." error={problemOf('language')}>
        <Input
          value={draft.language}
          disabled={isFixed}
          onChange={({ target }) => change({ language: target.value })}
        />
      </Field>
    </div>
  </Card>
);
