import type { NextRequest } from 'next/server';
import { answerJson } from '#lib/identity/auth/answer-json.ts';
import { customerFilterSchema, readCustomers, toCustomerInput } from '#lib/screens/read-customers.ts';

/** A page of the customers list, for its live updates and the command palette. */
export async function GET(request: NextRequest): Promise<Response> {
  const filter = customerFilterSchema.parse(Object.fromEntries(request.nextUrl.searchParams));
  return answerJson('viewer', (ctx) => readCustomers(ctx, toCustomerInput(filter), { isList: true }));
}
