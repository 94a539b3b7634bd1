/** The menu on narrow screens, tabs of code, copying, and where one is in the navigation. */

const menu = document.querySelector('#menu');
const navigation = document.querySelector('#navigation');

function openMenu(open) {
  menu.setAttribute('aria-expanded', String(open));
  navigation.classList.toggle('open', open);
}
document.documentElement.classList.add('scripted');
menu.hidden = false;
menu.addEventListener('click', () => openMenu(menu.getAttribute('aria-expanded') !== 'true'));
navigation.addEventListener('click', (event) => {
  if (event.target.closest('a') !== null) openMenu(false);
});
document.addEventListener('keydown', (event) => {
  if (event.key !== 'Escape' || menu.getAttribute('aria-expanded') !== 'true') return;
  openMenu(false);
  menu.focus();
});

/** Tabs of one block. Choosing a language chooses it in every block that has it. */
let tabs = 0;
const groups = [...document.querySelectorAll('[data-tabs]')].map((block) => {
  const samples = [...block.querySelectorAll('.sample')];
  const list = document.createElement('div');
  list.setAttribute('role', 'tablist');
  list.setAttribute('aria-label', 'Examples');
  const buttons = samples.map((sample) => {
    const button = document.createElement('button');
    tabs += 1;
    button.type = 'button';
    button.textContent = sample.dataset.label;
    button.id = `tab-${tabs}`;
    sample.id = `sample-${tabs}`;
    button.setAttribute('role', 'tab');
    button.setAttribute('aria-controls', sample.id);
    sample.setAttribute('role', 'tabpanel');
    sample.setAttribute('aria-labelledby', button.id);
    return button;
  });
  list.append(...buttons);
  block.prepend(list);
  const choose = (label) => {
    if (!samples.some((sample) => sample.dataset.label === label)) return;
    for (const [index, sample] of samples.entries()) {
      const chosen = sample.dataset.label === label;
      sample.hidden = !chosen;
      buttons[index].setAttribute('aria-selected', String(chosen));
      buttons[index].tabIndex = chosen ? 0 : -1;
    }
  };
  choose(samples[0].dataset.label);
  list.addEventListener('click', (event) => {
    const button = event.target.closest('button');
    if (button !== null) chooseEverywhere(button);
  });
  list.addEventListener('keydown', (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step === undefined) return;
    const at = buttons.indexOf(document.activeElement);
    const next = buttons.at((at + step) % buttons.length);
    next.focus();
    chooseEverywhere(next);
  });
  return choose;
});

/** Other blocks change their height, so the page is scrolled to keep the button in its place. */
function chooseEverywhere(button) {
  const before = button.getBoundingClientRect().top;
  for (const choose of groups) choose(button.textContent);
  scrollBy({ top: button.getBoundingClientRect().top - before, behavior: 'instant' });
}

/** Browsers offer the clipboard to pages with TLS, and on this machine. */
if (navigator.clipboard !== undefined) {
  for (const sample of document.querySelectorAll('.sample')) {
    const button = document.createElement('button');
    const name = (text) => {
      button.textContent = text;
      button.setAttribute('aria-label', `${text} ${sample.dataset.label}`);
    };
    button.type = 'button';
    button.className = 'copy';
    name('Copy');
    button.addEventListener('click', async () => {
      await navigator.clipboard.writeText(sample.querySelector('code').textContent);
      name('Copied');
      setTimeout(name, 2_000, 'Copy');
    });
    sample.append(button);
  }
}

/** Scrolls the navigation alone, until a link is in sight. */
function reveal(link) {
  const frame = navigation.getBoundingClientRect();
  const { top, bottom } = link.getBoundingClientRect();
  if (top < frame.top || bottom > frame.bottom)
    navigation.scrollTop += (top + bottom - frame.top - frame.bottom) / 2;
}
const here = navigation.querySelector('[aria-current=page]');
if (here !== null) reveal(here);

/** Marks the operation that is being read. */
const links = new Map(
  [...navigation.querySelectorAll('.operations a')].map((link) => [link.hash.slice(1), link]),
);
const visible = new Set();
const observer = new IntersectionObserver(
  (entries) => {
    for (const { target, isIntersecting } of entries) visible[isIntersecting ? 'add' : 'delete'](target.id);
    const current = [...links.keys()].find((id) => visible.has(id));
    for (const [id, link] of links) {
      if (id === current) link.setAttribute('aria-current', 'location');
      else link.removeAttribute('aria-current');
    }
    if (current !== undefined) reveal(links.get(current));
  },
  { rootMargin: '-15% 0px -70%' },
);
for (const id of links.keys()) {
  const section = document.getElementById(id);
  if (section !== null) observer.observe(section);
}
