import type { TestApi } from './api.ts';

export interface Page {
  readonly status: number;
  readonly headers: Headers;
  readonly html: string;
  /** Of its heading. */
  readonly title: string;
}

/** A minimal browser: keeps the cookie, follows to the sign-in, and submits the forms of /device. */
export class PageVisitor {
  readonly #api: TestApi;
  readonly #headers: Record<string, string>;
  cookie = '';
  formToken = '';

  constructor(api: TestApi, headers: Record<string, string> = {}) {
    this.#api = api;
    this.#headers = headers;
  }

  /** Opens the page, or the sign-in that it leads to. */
  async get(query = '', headers: Record<string, string> = {}): Promise<Page> {
    const page = await this.#send('GET', `/device${query}`, undefined, headers);
    const to = page.headers.get('location') ?? '';
    return page.status === 303 && to.startsWith('sign-in?')
      ? await this.#send('GET', `/${to}`, undefined, headers)
      : page;
  }

  /** Submits a form of the last page. */
  post(fields: Record<string, string>, query = '', headers: Record<string, string> = {}): Promise<Page> {
    const page = `/device${query}`;
    const path = fields['do'] === 'sign-in' ? `/sign-in?next=${encodeURIComponent(page)}` : page;
    return this.submit(path, fields, headers);
  }

  /** Opens any page of the server. */
  visit(path: string, headers: Record<string, string> = {}): Promise<Page> {
    return this.#send('GET', path, undefined, headers);
  }

  /** Submits a form of the last page, to any page of the server. */
  submit(path: string, fields: Record<string, string>, headers: Record<string, string> = {}): Promise<Page> {
    const body = new URLSearchParams({ form_token: this.formToken, ...fields }).toString();
    const sent = {
      'content-type': 'application/x-www-form-urlencoded',
      origin: this.#api.origin,
      ...headers,
    };
    return this.#send('POST', path, body, sent);
  }

  /** Opens the page, and submits the sign-in form. */
  async signIn(email: string, password: string, query = ''): Promise<Page> {
    await this.get(query);
    return await this.post({ do: 'sign-in', email, password }, query);
  }

  async #send(method: string, path: string, body: unknown, headers: Record<string, string>): Promise<Page> {
    const all = { ...this.#headers, ...(this.cookie === '' ? {} : { cookie: this.cookie }), ...headers };
    const url = this.#api.origin + path;
    const answer = await this.#api.request(method, url, { body, headers: all });
    const [cookie] = answer.headers.getSetCookie();
    if (cookie !== undefined) this.cookie = cookie.includes('Max-Age=0') ? '' : (cookie.split(';')[0] ?? '');
    this.formToken = /name="form_token" value="([^"]+)"/.exec(answer.text)?.[1] ?? this.formToken;
    const title = /<h1>([^<]*)/.exec(answer.text)?.[1] ?? '';
    return { status: answer.status, headers: answer.headers, html: answer.text, title };
  }
}
