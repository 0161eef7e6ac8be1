import { ICONS } from './icons.ts';

/** Where the customer writes, attaches files and shares. */
export function renderComposer(customer: string, phoneId: string): string {
  const hidden = `<input type="hidden" name="with" value="${phoneId}">`;
  const share = (what: string, words: string, fields: string): string =>
    `<form method="post" action="/phone/${customer}/share" data-answer>${hidden}
<input type="hidden" name="what" value="${what}"><fieldset><legend>${words}</legend>${fields}<button class="primary">Send</button></fieldset></form>`;
  return `<div class="bottom">
<details class="more"><summary aria-label="Share a location, a contact or a sticker">${ICONS.more}</summary><div class="menu">
${share(
  'location',
  'Location',
  `<label>Place<input name="name" value="Brandenburg Gate"></label>
<label>Latitude<input name="latitude" inputmode="decimal" required value="52.5163"></label>
<label>Longitude<input name="longitude" inputmode="decimal" required value="13.3777"></label>`,
)}
${share(
  'contacts',
  'Contact',
  `<label>Name<input name="name" required value="Kim Guest"></label>
<label>Number<input name="phone" inputmode="tel" required value="15557010199"></label>`,
)}
${share('sticker', 'Sticker', '<img src="/public/samples/sticker.webp" alt="A smile" width="48" height="48">')}
</div></details>
<form class="composer" method="post" action="/phone/${customer}/send" enctype="multipart/form-data" data-answer>
${hidden}
<label class="attach" title="Send a file or a voice message">${ICONS.picture}<span class="hidden">Send a file or a voice message</span>
<input class="hidden" type="file" name="file" accept="image/*,video/*,audio/*,application/pdf,.docx,.xlsx"></label>
<input name="text" autocomplete="off" placeholder="Answer as the customer" aria-label="Answer as the customer">
<button aria-label="Send">${ICONS.send}</button></form></div>`;
}
