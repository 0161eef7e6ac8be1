import { beforeAll, describe, expect, test } from 'vitest';
import { getMedia } from '#lib/messaging/platform/media.ts';
import { failAction, runAction } from '#lib/messaging/testing/run-action.ts';
import { setUpSending } from '#lib/messaging/testing/sending.ts';

const sending = setUpSending();

describe('send_media', () => {
  const media = { action: 'send_media', recipient: '15550007777' };

  beforeAll(() => sending.world.customerWrites('15550007777'));

  test.each([
    ['image', 'image/png', { caption: 'Look' }],
    ['video', 'video/mp4', { caption: 'Look' }],
    ['document', 'application/pdf', { caption: 'Look', filename: 'invoice.pdf' }],
    ['audio', 'audio/ogg', {}],
  ])('spec, send_media: %s by URL', async (media_type, mimeType, more) => {
    const media_url = `${sending.filesUrl}/${mimeType}`;
    const { output, runText } = await runAction(sending.world, {
      ...sending.base,
      ...media,
      media_type,
      media_url,
      ...more,
    });
    expect(runText).toBe('Media sent successfully.');
    expect(output).toMatchObject({
      action: 'send_media',
      media_type,
      recipient: '15550007777',
      message_id: expect.any(String) as string,
    });
    expect((await sending.lastCall())?.body).toMatchObject({
      type: media_type,
      [media_type]: { link: media_url, ...more },
    });
  });

  test('spec, media_id: id stands in for link', async () => {
    const access = {
      settings: sending.world.ctx.platform,
      accessToken: (await sending.world.mint()).access_token,
    };
    const media_id = await sending.uploadPicture();
    expect(await getMedia(access, media_id)).toMatchObject({
      id: media_id,
      mimeType: 'image/png',
      bytes: 10,
    });
    await runAction(sending.world, { ...sending.base, ...media, media_type: 'image', media_id });
    expect((await sending.lastCall())?.body['image']).toEqual({ id: media_id });
  });

  test.each([
    ['cannot be reached', 'image', '/nothing'],
    ['has the wrong format', 'image', '/application/pdf'],
    ['is too large', 'image', `/image/png/${5 * 1024 * 1024 + 1}`],
  ])('spec, Errors: media failure when the file %s', async (_, media_type, path) => {
    const error = await failAction(sending.world, {
      ...sending.base,
      ...media,
      media_type,
      media_url: sending.filesUrl + path,
    });
    expect(error.message).toMatch(/^Media failure: /);
    expect(error).toMatchObject({ code: 'media_failure', retry: { kind: 'never' } });
  });

  test('fields that only variables give are checked before any call', async () => {
    const before = (await sending.world.calls()).length;
    const body = { url: `${sending.filesUrl}/image/png`, id: '1', none: '' };
    const fail = (more: object) =>
      failAction(
        sending.world,
        { ...sending.base, ...media, media_type: '{{task_1_type}}', ...more },
        { body: { ...body, type: 'audio' } },
      );
    expect((await fail({ media_url: '{{task_1_url}}', caption: 'x' })).message).toBe(
      'Media failure: Audio cannot have a caption: remove it.',
    );
    expect((await fail({ media_url: '{{task_1_url}}', filename: 'x.pdf' })).message).toMatch(
      /Only a document has a filename/,
    );
    expect((await fail({ media_url: '{{task_1_url}}', media_id: '{{task_1_id}}' })).message).toMatch(
      /either media_url or media_id/,
    );
    expect((await fail({ media_url: '{{task_1_none}}' })).message).toMatch(/Enter a media_url/);
    const wrong = await failAction(
      sending.world,
      { ...sending.base, ...media, media_type: '{{task_1_none}}x', media_url: 'https://example.com/' },
      { body },
    );
    expect(wrong.message).toBe('"x" isn’t a media_type. Use image, video, document or audio.');
    expect((await sending.world.calls()).length).toBe(before);
  });
});
