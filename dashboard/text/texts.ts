import { useLanguage } from './language.ts';
import type { Language } from './language.ts';

/** A text, or a function that makes one from values. */
type Text = string | ((...values: never[]) => string);
/** The texts of a screen by name, in groups if it has many. */
interface TextTree {
  readonly [name: string]: Text | TextTree;
}

/** The same names with any text, so that a missing or superfluous German one is a type error. */
type Translation<T> = {
  readonly [Name in keyof T]: T[Name] extends string
    ? string
    : T[Name] extends (...values: infer Values) => string
      ? (...values: Values) => string
      : Translation<T[Name]>;
};

export type Texts<T> = Readonly<Record<Language, Translation<T>>>;

/** Declares the texts of a screen in both languages. */
export const texts = <T extends TextTree>(en: T, de: Translation<T>): Texts<T> => ({
  en: en as unknown as Translation<T>,
  de,
});

/** The texts in the language of the interface. */
export const useText = <T>(of: Texts<T>): Translation<T> => of[useLanguage()];
