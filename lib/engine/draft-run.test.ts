import { describe, expect, test } from 'vitest';
import { type DraftRunOptions, draftRevisionOf, guardSideEffects, versionOfDraft } from './draft-run.ts';
import { changeOutside, type EffectTarget } from './task-executor.ts';

const CLOSED: DraftRunOptions = { sendTo: null, callsServices: false, refusals: {}, pins: {} };

/** An executor's request in a run of the draft; reports its outcome. */
async function attempt(options: Partial<DraftRunOptions>, target: EffectTarget) {
  const captured: unknown[] = [];
  const sent: string[] = [];
  const effects = guardSideEffects(
    { ...CLOSED, ...options },
    {
      changeOutside,
      recordSideEffect: () => Promise.resolve(),
      withdrawSideEffect: () => Promise.resolve(),
    },
    (shown) => captured.push(shown),
  );
  const result = await effects.changeOutside(
    { target, shown: () => ({ kind: 'test' }), instead: () => 'instead' },
    async (person) => {
      await effects.recordSideEffect();
      sent.push(person);
      return 'sent';
    },
  );
  return { result, captured: captured.length, sent, effects };
}

const PERSON: EffectTarget = { kind: 'person', id: '15550001111' };
const SERVICE: EffectTarget = { kind: 'service', host: 'example.com' };
const ACCOUNT: EffectTarget = { kind: 'account' };

describe('what a run of the draft changes outside', () => {
  test.each([PERSON, SERVICE, ACCOUNT])('is captured: $kind', async (target) => {
    expect(await attempt({}, target)).toMatchObject({ result: 'instead', captured: 1, sent: [] });
  });

  test('messages go to the number of one’s own, whoever they were for', async () => {
    const all = { sendTo: '4915112345678' };
    expect(await attempt(all, PERSON)).toMatchObject({
      result: 'sent',
      captured: 0,
      sent: ['4915112345678'],
    });
    for (const target of [SERVICE, ACCOUNT])
      expect(await attempt(all, target)).toMatchObject({ captured: 1, sent: [] });
  });

  test('requests leave where they are let through, and nothing else does', async () => {
    expect(await attempt({ callsServices: true }, SERVICE)).toMatchObject({ result: 'sent', captured: 0 });
    for (const target of [PERSON, ACCOUNT])
      expect(await attempt({ callsServices: true }, target)).toMatchObject({ captured: 1, sent: [] });
  });

  test('an executor that does not say what it changes is kept from it', async () => {
    const { effects } = await attempt({ sendTo: '4915112345678', callsServices: true }, SERVICE);
    await expect(effects.recordSideEffect()).rejects.toMatchObject({ code: 'not_in_draft_runs' });
  });
});

test('the version of a draft is its revision below zero', () => {
  expect(draftRevisionOf(versionOfDraft(7))).toBe(7);
  expect(draftRevisionOf(1)).toBeNull();
});
