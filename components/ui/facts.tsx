import type { ReactNode } from 'react';

/** What is known of one thing, below its title: a list of `Fact`. */
export const Facts = ({ children }: { children: ReactNode }) => (
  <dl className="mb-5 flex flex-wrap gap-x-8 gap-y-3">{children}</dl>
);

export const Fact = ({ label, children }: { label: string; children: ReactNode }) => (
  <div>
    <dt className="text-sm text-muted">{label}</dt>
    <dd>{children}</dd>
  </div>
);
