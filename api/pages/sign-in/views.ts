import { html } from '../../http/html.ts';
import type { Language } from './language.ts';
import { described, formToken, layout, problemBox } from './layout.ts';
import type { Visitor } from './layout.ts';
import { texts } from './texts.ts';

export function signInView(
  visitor: Visitor,
  values: { readonly forDevice: boolean; readonly email?: string; readonly problem?: string },
): string {
  const { forDevice, email = '', problem = null } = values;
  const { language } = visitor;
  const text = texts[language];
  const main = html`
    <h1>${text.signIn}</h1>
    ${forDevice && html`<p>${text.forDevice}</p>`} ${problemBox(problem)}
    <form method="post" class="fields">
      ${formToken(visitor)}
      <label for="email">${text.email}</label>
      <input
        id="email"
        name="email"
        type="email"
        autocomplete="username"
        required
        maxlength="254"
        value="${email}"
        ${email === '' && html`autofocus`}${described(problem)}
      />
      <label for="password">${text.password}</label>
      <input
        id="password"
        name="password"
        type="password"
        autocomplete="current-password"
        required
        ${email !== '' && html`autofocus`}${described(problem)}
      />
      <button name="do" value="sign-in">${text.signIn}</button>
    </form>
    <p class="hint">${text.forgotten}</p>
  `;
  return layout({ title: problem === null ? text.signIn : text.notSignedIn, main, language });
}

/** @param root the way to the root, in every view below */
export function codeView(
  visitor: Visitor,
  root: string,
  { problem = null }: { readonly problem?: string | null },
): string {
  const { language } = visitor;
  const text = texts[language];
  const main = html`
    <h1>${text.signIn}</h1>
    <p>${text.codeHint}</p>
    ${problemBox(problem)}
    <form method="post" class="fields">
      ${formToken(visitor)}
      <label for="code">${text.code}</label>
      <input
        id="code"
        name="code"
        class="code"
        required
        maxlength="40"
        autocomplete="one-time-code"
        autocapitalize="characters"
        spellcheck="false"
        autofocus
        ${described(problem)}
      />
      <button name="do" value="code">${text.continue}</button>
    </form>
    <p><a href="${root}sign-in">${text.back}</a></p>
  `;
  return layout({ title: problem === null ? text.signIn : text.notSignedIn, main, language, root });
}

export function newPasswordView(
  visitor: Visitor,
  root: string,
  { email, problem = null }: { readonly email: string; readonly problem?: string | null },
): string {
  const { language } = visitor;
  const text = texts[language];
  const field = (id: string, label: string, first: boolean) =>
    html`<label for="${id}">${label}</label>
      <input
        id="${id}"
        name="${id}"
        type="password"
        autocomplete="new-password"
        required
        minlength="12"
        maxlength="1000"
        ${first && html`autofocus`}${described(problem)}
      />`;
  const main = html`
    <h1>${text.newPassword}</h1>
    <p>${text.newPasswordFor} <bdi>${email}</bdi>. ${text.passwordRule}</p>
    ${problemBox(problem)}
    <form method="post" class="fields">
      ${formToken(visitor)}
      <input type="hidden" name="username" autocomplete="username" value="${email}" />
      ${field('new_password', text.newPassword, true)} ${field('repeated', text.repeat, false)}
      <button name="do" value="set">${text.setPassword}</button>
    </form>
  `;
  return layout({ title: text.newPassword, main, language, root });
}

/** A page with a message only. */
export function messageView(
  language: Language,
  root: string,
  { title, message, link }: { readonly title: string; readonly message: string; readonly link: string },
): string {
  const main = html`
    <h1>${title}</h1>
    <p>${message}</p>
    <p><a href="${root}sign-in">${link}</a></p>
  `;
  return layout({ title, main, language, root });
}

/** A page about a mistake. @param root the way to the root */
export function errorView(
  language: Language,
  {
    code,
    message,
    requestId,
  }: { readonly code: string; readonly message: string; readonly requestId: string },
  root = '',
): string {
  const text = texts[language];
  const main = html`
    <h1>${text.failed}</h1>
    <p role="alert">${text.errors[code] ?? message}</p>
    <p class="hint">${text.request} ${requestId}</p>
    <p><a href="${root}sign-in">${text.back}</a></p>
  `;
  return layout({ title: text.failed, main, language, root });
}
