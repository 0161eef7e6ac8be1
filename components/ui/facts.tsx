import type { ReactNode } from 'react';

/** A list of `Fact`s below a title. */
export const Facts = ({ children }: { children: ReactNode }) => (
  <dl className="mb-5 flex flex-wrap gap-x-8 gap-y-3">{children}</dl>
);

export const Fact = ({ label, children }: { label: string; children: ReactNode }) => (
  <div>
    <dt className="text-sm text-muted">{label}</dt>
    <dd>{children}</dd>
  </div>
);
