import { defineConfig } from 'drizzle-kit';

export default defineConfig({
  dialect: 'postgresql',
  schema: [
    './lib/mail/schema.ts',
    './lib/identity/schema/!(*.test).ts',
    './lib/engine/schema/!(*.test).ts',
    './lib/messaging/schema/!(*.test).ts',
    './lib/secrets/schema.ts',
    './lib/approvals/schema.ts',
    './lib/alerts/schema.ts',
    './lib/lists/tables.ts',
  ],
  out: './drizzle',
});
