// Authentication templates have a text of the platform's and one button, which is stored and sent as a URL with the code.
import { GraphError } from '../graph-error.ts';
import type { TemplateComponent } from '../model.ts';
import { PRODUCT } from '../product.ts';
import { isStrict } from '../strict.ts';
import type { World } from '../world.ts';
import type { PresetComponent } from './template-schema.ts';

/** Whether a new template is one of these. Strict: every authentication template is; otherwise one may write its text. */
export function isPreset(world: World, { category, components }: Record<string, unknown>): boolean {
  if (category !== 'AUTHENTICATION') return false;
  const list = Array.isArray(components) ? (components as Record<string, unknown>[]) : [];
  return isStrict(world) || !list.some((component) => component['text'] !== undefined);
}

/** The components as they are stored. Throws 100 without body or button. */
export function buildAuthentication(components: PresetComponent[]): TemplateComponent[] {
  const find = <T extends PresetComponent['type']>(type: T) =>
    components.find(
      (component): component is Extract<PresetComponent, { type: T }> => component.type === type,
    );
  const button = find('BUTTONS')?.buttons[0];
  const body = find('BODY');
  if (!body || !button)
    throw new GraphError(100, 'Authentication templates need a BODY and a button of type OTP.', {
      subcode: 2388023,
    });
  const { add_security_recommendation: isSafer = false } = body;
  const { code_expiration_minutes: minutes } = find('FOOTER') ?? {};
  const advice = isSafer ? ' For your security, do not share this code.' : '';
  const url = `https://www.${PRODUCT}.com/otp/code/?otp_type=${button.otp_type}&code=otp`;
  return [
    {
      type: 'BODY',
      text: `*{{1}}* is your verification code.${advice}`,
      add_security_recommendation: isSafer,
      example: { body_text: [['123456']] },
    },
    ...(minutes === undefined
      ? []
      : [
          {
            type: 'FOOTER' as const,
            text: `This code expires in ${minutes} minutes.`,
            code_expiration_minutes: minutes,
          },
        ]),
    {
      type: 'BUTTONS',
      buttons: [
        {
          type: 'URL',
          text: button.text ?? 'Copy code',
          url: `${url}{{1}}`,
          example: [`${url}123456`],
        },
      ],
    },
  ];
}
