import { defineConfig } from 'drizzle-kit';

export default defineConfig({
  dialect: 'postgresql',
  schema: [
    './lib/mail/schema.ts',
    './lib/identity/schema/*.ts',
    './lib/engine/schema/*.ts',
    './lib/messaging/schema/*.ts',
    './lib/secrets/schema.ts',
    './lib/approvals/schema.ts',
    './lib/alerts/schema.ts',
  ],
  out: './drizzle',
});
