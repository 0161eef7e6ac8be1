// Keeps the page live: after each server-sent event the parts marked data-live are replaced from a new copy of it.
const phone = document.querySelector('[data-chat]');
const thread = () => document.getElementById('thread');

const scrollToEnd = () => thread()?.scrollTo({ top: thread().scrollHeight });

// A pressed element is not replaced until its release: a button that is replaced between press and release gets no click.
let pressed = null;
document.addEventListener('pointerdown', () => (pressed ??= Promise.withResolvers()));
for (const name of ['pointerup', 'pointercancel'])
  document.addEventListener(name, () => {
    const press = pressed;
    pressed = null;
    window.setTimeout(() => press?.resolve());
  });

async function refresh() {
  const response = await window.fetch(location.href);
  if (!response.ok) return;
  const fresh = new DOMParser().parseFromString(await response.text(), 'text/html');
  await pressed?.promise;
  const list = thread();
  const atEnd = list && list.scrollHeight - list.scrollTop - list.clientHeight < 80;
  const scrollTop = list?.scrollTop ?? 0;
  for (const part of document.querySelectorAll('[data-live]')) {
    const next = fresh.getElementById(part.id);
    if (!next || next.innerHTML === part.innerHTML) continue;
    const open = [...part.querySelectorAll('details')].map((each) => each.open);
    const focused = [...part.querySelectorAll('a, button')].indexOf(document.activeElement);
    part.innerHTML = next.innerHTML;
    part.className = next.className;
    for (const [index, each] of part.querySelectorAll('details').entries()) each.open = open[index] ?? false;
    if (focused >= 0) part.querySelectorAll('a, button')[focused]?.focus();
  }
  if (atEnd) scrollToEnd();
  else list?.scrollTo({ top: scrollTop });
  await markRead();
}

// Messages on an open, visible screen count as read.
async function markRead() {
  if (!phone || document.visibilityState !== 'visible') return;
  if (!thread().querySelector('.theirs.delivered')) return;
  await window.fetch(`/phone/${phone.dataset.customer}/read`, {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams({ with: phone.dataset.chat }),
  });
}

let running = null;
let again = false;
function refreshSoon() {
  if (running) {
    again = true;
    return;
  }
  running = refresh()
    .catch(() => {})
    .finally(() => {
      running = null;
      if (again) {
        again = false;
        refreshSoon();
      }
    });
}

document.addEventListener('submit', async (event) => {
  const form = event.target;
  if (!form.matches('[data-answer]')) return;
  event.preventDefault();
  const multipart = form.enctype === 'multipart/form-data';
  const data = new FormData(form);
  await window.fetch(form.action, {
    method: 'POST',
    redirect: 'manual',
    body: multipart ? data : new URLSearchParams(data),
  });
  if (form.matches('.composer')) {
    form.reset();
    form.elements.text.focus();
  }
  // A menu or a list closes after a selection.
  form.closest('details')?.removeAttribute('open');
  await refresh();
  scrollToEnd();
});

document.addEventListener('change', (event) => {
  if (event.target.name === 'file' && event.target.files.length > 0) event.target.form.requestSubmit();
});

document.addEventListener('visibilitychange', () => void markRead());
const events = new EventSource('/phone-events');
// Changes before the stream was open are fetched when it opens, also after an interruption.
events.addEventListener('open', refreshSoon);
events.addEventListener('message', refreshSoon);
scrollToEnd();
void markRead();
