'use client';
import { type FormEvent, useState, useTransition } from 'react';
import { HelpLink } from '#components/help/help-link.tsx';
import { Button } from '#components/ui/button.tsx';
import { Card } from '#components/ui/card.tsx';
import { Field } from '#components/ui/form/field.tsx';
import { Input } from '#components/ui/form/input.tsx';
import { toast } from '#components/ui/overlay/toaster.tsx';
import type { ActionResult } from '#lib/identity/auth/action-types.ts';
import { type MessagePrices, PRICED_CATEGORIES } from '#lib/messaging/schema/message-prices.ts';
import { codeTitle } from '#lib/messaging/schema/number-words.ts';

export interface PricesFormProps {
  saved: MessagePrices;
  save: (input: MessagePrices) => Promise<ActionResult<MessagePrices>>;
}

/** What the platform charges for a message of each category, for the costs in the delivery report. */
export function PricesForm({ saved, save }: PricesFormProps) {
  const [currency, setCurrency] = useState(saved.currency);
  const [prices, setPrices] = useState(saved.prices);
  const [problems, setProblems] = useState<Readonly<Record<string, string>>>({});
  const [busy, startTransition] = useTransition();
  const categories = [...new Set([...PRICED_CATEGORIES, ...Object.keys(saved.prices)])];

  const submit = (event: FormEvent) => {
    event.preventDefault();
    startTransition(async () => {
      const entered = Object.entries(prices).flatMap(([category, price]) =>
        price.trim() === '' ? [] : [[category, price.trim()] as const],
      );
      const result = await save({
        currency: currency.trim().toUpperCase(),
        prices: Object.fromEntries(entered),
      });
      if (result.ok) return void toast.success('Prices saved');
      const { message, problems: found } = result.error;
      setProblems(Object.fromEntries(found.map((each) => [each.path, each.message])));
      if (found.length === 0) toast.error(message);
    });
  };
  return (
    <form onSubmit={submit}>
      <Card
        title="Prices of messages"
        description="The platform reports the category of each message but not its price. Enter the prices of your price list, and the delivery report shows what messages cost."
        footer={
          <Button type="submit" variant="primary" loading={busy}>
            Save
          </Button>
        }
      >
        <div className="flex flex-col gap-5">
          <Field label="Currency" help="Its code, such as USD, EUR or BRL." error={problems['currency']}>
            <Input
              className="w-28!"
              value={currency}
              maxLength={3}
              onChange={({ target }) => setCurrency(target.value)}
            />
          </Field>
          <div className="grid gap-x-6 gap-y-4 sm:grid-cols-2 lg:grid-cols-3">
            {categories.map((category) => (
              <Field key={category} label={codeTitle(category)} error={problems[`prices.${category}`]}>
                <Input
                  inputMode="decimal"
                  placeholder="Unknown"
                  value={prices[category] ?? ''}
                  onChange={({ target }) => setPrices((before) => ({ ...before, [category]: target.value }))}
                />
              </Field>
            ))}
          </div>
          <p className="text-sm text-muted">
            For one delivered message. Leave a price empty if you don’t know it: the report then says how many
            messages have no price. A change also applies to earlier days.{' '}
            <HelpLink page="reports">How costs are calculated</HelpLink>
          </p>
        </div>
      </Card>
    </form>
  );
}
