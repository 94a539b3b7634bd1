import { html } from '../../http/html.ts';
import type { Html } from '../../http/html.ts';
import type { Language } from './language.ts';

/** The person who views a page, their language, and the token for their forms. */
export interface Visitor {
  readonly language: Language;
  readonly email: string | null;
  readonly formToken: string;
}

export interface Layout {
  readonly title: string;
  readonly main: Html;
  readonly language: Language;
  /** The content of the head of the page: who is signed in, for example. */
  readonly header?: Html | false;
  /** The way from the page to the root: a proxy may serve it under a path. */
  readonly root?: string;
}

/** A page that the server renders, without scripts. */
export const layout = ({ title, main, language, header = false, root = '' }: Layout): string =>
  html`<!doctype html>
    <html lang="${language}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${title} – Presswork</title>
        <link rel="stylesheet" href="${root}sign-in/style.css" />
        <link rel="icon" href="data:," />
      </head>
      <body>
        <header>
          <p class="brand">Presswork</p>
          ${header}
        </header>
        <main>${main}</main>
      </body>
    </html>`.markup;

export const formToken = ({ formToken: token }: Visitor): Html =>
  html`<input type="hidden" name="form_token" value="${token}" />`;

export const problemBox = (problem: string | null): Html | null =>
  problem === null ? null : html`<p class="problem" role="alert" id="problem">${problem}</p>`;

/** Ties a field to the message about it, for screen readers. */
export const described = (problem: string | null): Html | null =>
  problem === null ? null : html` aria-invalid="true" aria-describedby="problem"`;
