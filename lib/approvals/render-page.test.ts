import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { type ApprovalLink, stateOf } from './approval-link.ts';
import { PAGE_POLICY, renderLinkPage, renderProblemPage } from './resume-route.ts';

const OPEN: ApprovalLink = {
  id: 'l1',
  workspaceId: 'w1',
  zone: 'UTC',
  question: 'Refund <b>20 EUR</b>?',
  details: 'Order "A-17"\nsecond line',
  approveLabel: 'Approve',
  rejectLabel: 'Reject & close',
  hasComment: true,
  expiresAt: new Date('2030-02-07T12:00:00Z'),
  closedAt: null,
  isExpired: false,
  isNeeded: true,
  decided: null,
};
const decided = {
  decision: 'rejected',
  comment: '<i>No</i>',
  body: '{}',
  decidedAt: new Date('2030-01-31T12:05:00Z'),
} as const;
const page = (link: Partial<ApprovalLink>, problem?: string) => renderLinkPage({ ...OPEN, ...link }, problem);

describe('the page of a link', () => {
  it('asks, without any script, and shows what a workflow put there as text', () => {
    const html = page({});
    expect(html).toContain('<h1>Refund &lt;b&gt;20 EUR&lt;/b&gt;?</h1>');
    expect(html).toContain('Order &quot;A-17&quot;\nsecond line');
    expect(html).toContain('<button name="decision" value="reject">Reject &amp; close</button>');
    expect(html).toContain('<textarea');
    // The run may stop waiting before that.
    expect(html).toMatch(
      /You can decide once, until <time [^>]*>Feb 7, 2030, 12:00 UTC<\/time> at the latest\./,
    );
    expect(html).toContain('<meta name="robots" content="noindex, nofollow">');
    expect(html).not.toMatch(/<script|<link|https?:|\son\w+=/);
  });

  it('has its times in the zone of the workspace, with its name', () => {
    const zone = 'Europe/Berlin';
    expect(page({ zone })).toContain('Feb 7, 2030, 13:00 (Europe/Berlin)</time> at the latest.');
    expect(page({ zone, decided })).toContain('Jan 31, 2030, 13:05 (Europe/Berlin)');
    expect(page({ zone, isExpired: true })).toContain('expired at Feb 7, 2030, 13:00 (Europe/Berlin).');
  });

  it('has no field for a comment where none is wanted', () => {
    expect(page({ hasComment: false })).not.toContain('<textarea');
  });

  it('says what was chosen, with the comment, and has no buttons any more', () => {
    const html = page({ decided });
    expect(html).toContain('<strong>Reject &amp; close</strong> was chosen on');
    expect(html).toContain('Jan 31, 2030, 12:05 UTC');
    expect(html).toContain('<blockquote>&lt;i&gt;No&lt;/i&gt;</blockquote>');
    expect(html).not.toContain('<button');
  });

  it.each([
    ['not_needed', { isNeeded: false }, 'A decision is no longer needed'],
    ['expired', { isExpired: true }, 'This link expired at Feb 7, 2030, 12:00 UTC.'],
    ['closed', { closedAt: new Date('2030-02-01T00:00:00Z') }, 'continued without a decision'],
  ] as const)('%s: says why nothing can be decided', (state, change, words) => {
    expect(stateOf({ ...OPEN, ...change })).toBe(state);
    expect(page(change)).toContain(words);
    expect(page(change)).not.toContain('<button');
  });

  it('shows what was decided even if the run has ended since', () => {
    expect(stateOf({ ...OPEN, decided, isNeeded: false, isExpired: true })).toBe('decided');
  });

  it('says what was wrong with what was posted', () => {
    expect(page({}, 'The comment is longer than 2,000 characters.')).toContain(
      'role="alert">The comment is longer than 2,000 characters.',
    );
    expect(renderProblemPage('This link does not exist.')).toContain('This link does not exist.');
  });

  it('may show its style and send its form, and nothing else', () => {
    const [, style = ''] = /<style>([^]*)<\/style>/.exec(page({})) ?? [];
    const hash = createHash('sha256').update(style).digest('base64');
    expect(PAGE_POLICY).toBe(
      `default-src 'none'; style-src 'sha256-${hash}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; sandbox allow-forms`,
    );
  });
});
