import { html } from '../html.ts';
import type { Language } from './language.ts';
import { described, formToken, layout, problemBox } from './layout.ts';
import type { Visitor } from './layout.ts';
import { texts } from './texts.ts';

export function signInView(
  visitor: Visitor,
  language: Language,
  values: { readonly forDevice: boolean; readonly email?: string; readonly problem?: string },
): string {
  const { forDevice, email = '', problem = null } = values;
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

/** A page about what went wrong. @param root the way to the root */
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
