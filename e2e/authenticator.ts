import type { Page } from '@playwright/test';
import decodeQr from 'qr/decode.js';
import { type TOTP, URI } from 'otpauth';

const STEP_MS = 30_000;
const SIDE_PX = 294;

/** An authenticator app on a phone. */
export class Authenticator {
  readonly #app: TOTP;
  #lastStep = 0;

  private constructor(app: TOTP) {
    this.#app = app;
  }

  /** Scans the QR code on a page with the camera. */
  static async scan(page: Page): Promise<Authenticator> {
    const gray = await page.getByRole('img', { name: /^QR code/ }).evaluate(async (image, side) => {
      await (image as HTMLImageElement).decode();
      const canvas = Object.assign(document.createElement('canvas'), { width: side, height: side });
      const context = canvas.getContext('2d');
      if (!context) throw new Error('No canvas.');
      context.drawImage(image as HTMLImageElement, 0, 0, side, side);
      const { data } = context.getImageData(0, 0, side, side);
      // One letter a pixel: as an array of numbers it would be a megabyte.
      return Array.from({ length: side * side }, (_, index) => (data[index * 4]! < 128 ? 'x' : ' ')).join('');
    }, SIDE_PX);
    const data = Uint8Array.from(
      [...gray].flatMap((pixel) => Array<number>(3).fill(pixel === 'x' ? 0 : 255)),
    );
    const uri = decodeQr({ width: SIDE_PX, height: SIDE_PX, data });
    return new Authenticator(URI.parse(uri) as TOTP);
  }

  /** In Base32. */
  get key(): string {
    return this.#app.secret.base32;
  }

  /** An unused code: that of the next step, which is accepted already, if the current one was used. */
  code(): string {
    this.#lastStep = Math.max(Math.floor(Date.now() / STEP_MS), this.#lastStep + 1);
    return this.#app.generate({ timestamp: this.#lastStep * STEP_MS });
  }
}
