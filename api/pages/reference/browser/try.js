/**
 * Sends requests from the page to the API that served it. The key is kept in the fields of this page alone: nothing
 * here writes to storage, to a cookie or to an address.
 */

const TIMEOUT_MS = 60_000;
/** Of an answer that is shown. */
const LONGEST = 200_000;

const keys = [...document.querySelectorAll('[data-in=key]')];
// Also after the browser has restored the page.
addEventListener('pageshow', () => keys.forEach((key) => (key.value = '')));
for (const key of keys) {
  key.addEventListener('input', () => keys.forEach((other) => (other.value = key.value)));
}

// Without TLS, browsers have no crypto.randomUUID.
const newKey = () =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');

const element = (name, text, className = '') => {
  const made = document.createElement(name);
  made.textContent = text;
  made.className = className;
  return made;
};

for (const block of document.querySelectorAll('.try')) {
  const { method } = block.dataset;
  const form = block.querySelector('form');
  const result = block.querySelector('.result');
  const outcome = block.querySelector('.outcome');
  const submit = form.querySelector('[type=submit]');
  const confirmation = form.querySelector('.confirmation');
  block.hidden = false;

  const ask = (asking) => {
    confirmation.hidden = !asking;
    submit.hidden = asking;
  };
  let sending = false;
  const run = async () => {
    ask(false);
    submit.focus();
    if (sending) return;
    sending = true;
    result.replaceChildren('Sending …');
    outcome.replaceChildren();
    const { said, shown } = await send(block);
    result.replaceChildren(...said);
    outcome.replaceChildren(...shown);
    result.scrollIntoView({ block: 'nearest', behavior: 'instant' });
    sending = false;
  };
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    if (sending) return;
    if (method === 'GET') return run();
    ask(true);
    confirmation.querySelector('[data-do=confirm]').focus();
  });
  form.addEventListener('input', () => ask(false));
  confirmation.addEventListener('click', (event) => {
    const chosen = event.target.closest('button')?.dataset.do;
    if (chosen === 'confirm') return run();
    if (chosen !== 'cancel') return;
    ask(false);
    submit.focus();
  });
}

/** The request that a form describes. */
function requestOf(block) {
  const { method, path } = block.dataset;
  const headers = new Headers();
  const query = new URLSearchParams();
  let filled = path;
  let body;
  for (const field of block.querySelectorAll('[data-in]')) {
    const { name } = field.dataset;
    const value = field.value.trim();
    if (value === '') continue;
    switch (field.dataset.in) {
      case 'key':
        headers.set('Authorization', `Bearer ${value}`);
        break;
      case 'path':
        filled = filled.replace(`{${name}}`, encodeURIComponent(value));
        break;
      case 'query':
        for (const each of 'repeat' in field.dataset ? value.split(',') : [value])
          query.append(name, each.trim());
        break;
      case 'header':
        headers.set(name, value);
        break;
      default:
        headers.set('Content-Type', 'application/json');
        body = value;
    }
  }
  if (method !== 'GET' && !headers.has('Idempotency-Key')) headers.set('Idempotency-Key', newKey());
  return { method, url: filled + (query.size > 0 ? `?${query}` : ''), headers, body };
}

/** Sends it. What came back is said in one line, and shown below it. */
async function send(block) {
  const sent = [];
  try {
    const { method, url, headers, body } = requestOf(block);
    const key = headers.get('Idempotency-Key');
    sent.push(['Request', `${method} ${url}`]);
    if (key !== null) sent.push(['Idempotency-Key', key]);
    const started = performance.now();
    const answer = await fetch(url, {
      method,
      headers,
      body,
      credentials: 'omit',
      cache: 'no-store',
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const text = await answer.text();
    const took = Math.round(performance.now() - started);
    const status = `${answer.status} ${answer.statusText}`.trim();
    return {
      said: [element('strong', status, answer.ok ? 'ok' : 'failed'), ` in ${took} ms`],
      shown: [facts(sent), ...shownOf(answer, text)],
    };
  } catch (error) {
    const reason =
      error.name === 'TimeoutError'
        ? 'There was no answer within a minute.'
        : error.message.replace(/\.?$/, '.');
    const advice = sent.length === 0 || block.dataset.method === 'GET' ? '' : adviceFor(block);
    return {
      said: [element('span', `The request failed. ${reason}${advice}`, 'failed')],
      shown: [facts(sent)],
    };
  }
}

/** For a write that was sent and not answered. */
const adviceFor = (block) =>
  block.querySelector('[data-name=Idempotency-Key]') === null
    ? ' It may have been done. Read the object before you repeat it.'
    : ' It may have been done. To repeat it safely, send the same Idempotency-Key.';

function facts(rows) {
  const list = element('dl', '', 'facts');
  for (const [name, value] of rows) {
    const row = document.createElement('div');
    const shown = document.createElement('dd');
    shown.append(element('code', value));
    row.append(element('dt', name), shown);
    list.append(row);
  }
  return list;
}

/** The headers of an answer, folded, and its body. */
function shownOf({ headers }, text) {
  const lines = [...headers].map(([name, value]) => `${name}: ${value}`);
  const folded = document.createElement('details');
  folded.append(
    element('summary', `${lines.length} headers`),
    pre(lines.join('\n'), 'Headers of the answer'),
  );
  return text === '' ? [folded] : [folded, pre(pretty(text), 'Body of the answer')];
}

function pre(text, label) {
  const block = document.createElement('pre');
  block.tabIndex = 0;
  block.setAttribute('role', 'group');
  block.setAttribute('aria-label', label);
  block.append(element('code', text));
  return block;
}

function pretty(text) {
  let shown = text;
  try {
    shown = JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    // Shown as it came.
  }
  return shown.length > LONGEST
    ? `${shown.slice(0, LONGEST)}\n… ${shown.length - LONGEST} more characters`
    : shown;
}
