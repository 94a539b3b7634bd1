import { useSyncExternalStore } from 'react';

export const languages = ['en', 'de'] as const;
export type Language = (typeof languages)[number];

const PLACE = 'presswork.language';
const listeners = new Set<() => void>();

const isLanguage = (value: string | null): value is Language => languages.some((known) => known === value);

function initial(): Language {
  const kept = localStorage.getItem(PLACE);
  if (isLanguage(kept)) return kept;
  return navigator.languages.map((name) => name.slice(0, 2)).find(isLanguage) ?? 'en';
}

let current = initial();
document.documentElement.lang = current;

export const currentLanguage = (): Language => current;

export function chooseLanguage(language: Language): void {
  current = language;
  localStorage.setItem(PLACE, language);
  document.documentElement.lang = language;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The language of the interface; the component renders again when it changes. */
export const useLanguage = (): Language => useSyncExternalStore(subscribe, currentLanguage);
