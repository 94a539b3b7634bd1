import { html } from '../../http/html.ts';
import type { Html } from '../../http/html.ts';
import type { Language } from './language.ts';

const texts: Readonly<Record<Language, { readonly only: string; readonly about: string }>> = {
  en: {
    only: 'Drafts only',
    about: 'Writes drafts, and changes that a person publishes. Changes nothing that readers see.',
  },
  de: {
    only: 'Nur Entwürfe',
    about: 'Schreibt Entwürfe und Änderungen, die ein Mensch veröffentlicht. Ändert nichts, was Leser sehen.',
  },
};

const FIELD = 'drafts_only';

/** Whether the submitted form limits the key to drafts. */
export const choosesDrafts = (form: URLSearchParams): boolean => form.get(FIELD) === 'true';

/** Asks whether an agent's key is for drafts only; that is the choice at first (docs/spec/rulings.md, 23). */
export const draftsChoice = (language: Language, isChosen: boolean): Html =>
  html`<label class="choice"
    ><input type="checkbox" name="${FIELD}" value="true" ${isChosen && html`checked`} />
    <span
      ><strong>${texts[language].only}</strong> <span class="of">${texts[language].about}</span></span
    ></label
  >`;

/** Says that the key would be for drafts only, if the device has asked for that. */
export const draftsNote = (language: Language): Html =>
  html`<p><strong>${texts[language].only}</strong>: ${texts[language].about}</p>`;
