/** Searches operations and guide in an index that is loaded when it is needed. */

const SHOWN = 12;
const search = document.querySelector('#search');
const query = document.querySelector('#query');
const results = search.querySelector('.results');
const status = results.querySelector('[role=status]');
const list = results.querySelector('ul');
search.hidden = false;

const plain = (text) => text.toLowerCase().normalize('NFD').replaceAll(/\p{M}/gu, '');

let index;
const loadIndex = () =>
  (index ??= fetch('/docs/search.json', { credentials: 'omit' })
    .then((answer) => (answer.ok ? answer.json() : Promise.reject(new Error(`status ${answer.status}`))))
    .then((entries) =>
      entries.map((entry) => ({
        ...entry,
        places: [plain(entry.title), plain(entry.about), plain(entry.text)],
      })),
    )
    .catch((error) => {
      index = undefined;
      throw error;
    }));

/** What a word counts in the title, in the line below it, and in the text; more at the beginning of a word. */
const weights = [8, 4, 1];
function score(entry, words) {
  let sum = 0;
  for (const word of words) {
    let best = 0;
    for (const [place, text] of entry.places.entries()) {
      const at = text.indexOf(word);
      if (at < 0) continue;
      const begins = at === 0 || /[^\p{L}\p{N}]/u.test(text[at - 1]);
      best = Math.max(best, weights[place] * (begins ? 2 : 1));
    }
    if (best === 0) return 0;
    sum += best;
  }
  return sum;
}

function show(entries, said) {
  status.textContent = said;
  list.replaceChildren(
    ...entries.map(({ title, about, address }) => {
      const item = document.createElement('li');
      const link = document.createElement('a');
      const name = document.createElement('strong');
      const line = document.createElement('span');
      link.href = address;
      name.textContent = title;
      line.textContent = about;
      link.append(name, line);
      item.append(link);
      return item;
    }),
  );
  results.hidden = false;
}

async function find() {
  const typed = query.value;
  const words = plain(typed).split(/\s+/).filter(Boolean).slice(0, 8);
  if (words.length === 0) {
    results.hidden = true;
    return;
  }
  try {
    const entries = await loadIndex();
    if (query.value !== typed) return;
    const found = entries
      .map((entry) => ({ entry, points: score(entry, words) }))
      .filter(({ points }) => points > 0)
      .sort((a, b) => b.points - a.points);
    const all = found.length === 1 ? '1 result' : `${found.length} results`;
    const count = found.length > SHOWN ? `${all}, the best ${SHOWN} shown` : all;
    show(
      found.slice(0, SHOWN).map(({ entry }) => entry),
      found.length === 0 ? 'Nothing found' : count,
    );
  } catch {
    show([], 'The search could not be loaded. Try again.');
  }
}

query.addEventListener('input', find);
query.addEventListener('focus', find);
search.addEventListener('keydown', (event) => {
  const links = [...list.querySelectorAll('a')];
  if (event.key === 'Escape') {
    results.hidden = true;
    query.focus();
    return;
  }
  if (event.key === 'Enter' && document.activeElement === query) links[0]?.click();
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step === undefined || results.hidden || links.length === 0) return;
  event.preventDefault();
  const next = links.indexOf(document.activeElement) + step;
  (next < 0 ? query : links[Math.min(next, links.length - 1)]).focus();
});
list.addEventListener('click', () => {
  results.hidden = true;
});
document.addEventListener('click', (event) => {
  if (!search.contains(event.target)) results.hidden = true;
});
search.addEventListener('focusout', (event) => {
  if (event.relatedTarget !== null && !search.contains(event.relatedTarget)) results.hidden = true;
});
document.addEventListener('keydown', (event) => {
  const typing = event.target.closest?.('input, textarea, select');
  if (event.key !== '/' || typing || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  query.focus();
});
