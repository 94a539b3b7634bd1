import type { Answer, TestApi } from './api.ts';
import { PageVisitor } from './page.ts';

interface Cookie {
  readonly name: string;
  readonly path: string;
  value: string;
}

/** What the dashboard's pages send with each request. */
const own = { 'x-presswork': '1', 'sec-fetch-site': 'same-origin' };

/** A browser with the dashboard: it keeps each cookie for its path, as browsers do. */
export class DashboardVisitor {
  readonly #api: TestApi;
  readonly #headers: Record<string, string>;
  cookies: Cookie[] = [];

  constructor(api: TestApi, headers: Record<string, string> = {}) {
    this.#api = api;
    this.#headers = headers;
  }

  async signIn(email: string, password: string): Promise<this> {
    const page = new PageVisitor(this.#api, this.#headers);
    const { status } = await page.signIn(email, password);
    if (status !== 303) throw new Error(`the sign-in was answered with ${status}`);
    this.takeSession(page.cookie);
    return this;
  }

  /** @param cookie as a page has it, `name=value` */
  takeSession(cookie: string): void {
    const [name = '', value = ''] = cookie.split('=');
    this.#keep({ name, path: '/', value });
  }

  /** A request beside the API; the path is below `/dashboard/api`. */
  ask(method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Answer> {
    return this.send(method, `/dashboard/api${path}`, body, { ...own, ...headers });
  }

  open(siteId: string): Promise<Answer> {
    return this.ask('POST', `/sites/${siteId}/open`);
  }

  /** A call of the API; the path is below `/v1`. */
  call(
    siteId: string,
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Answer> {
    return this.send(method, `/dashboard/${siteId}/v1${path}`, body, { ...own, ...headers });
  }

  async send(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Answer> {
    const sent = this.cookies
      .filter((cookie) => cookie.path === '/' || path.startsWith(cookie.path))
      .map(({ name, value }) => `${name}=${value}`);
    const all = { ...this.#headers, ...(sent.length > 0 && { cookie: sent.join('; ') }), ...headers };
    const answer = await this.#api.request(method, this.#api.origin + path, { body, headers: all });
    for (const line of answer.headers.getSetCookie()) this.#keep(parse(line));
    return answer;
  }

  #keep(cookie: Cookie): void {
    this.cookies = this.cookies.filter(({ name, path }) => name !== cookie.name || path !== cookie.path);
    if (cookie.value !== '') this.cookies.push(cookie);
  }
}

function parse(line: string): Cookie {
  const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
  return { name, value, path: /; Path=([^;]+)/.exec(line)?.[1] ?? '/' };
}

/** The keys of dashboards of a Site that can be used at a moment. */
export const liveKeys = async (api: TestApi, siteId: string, now: Date) =>
  (
    await api.db.pool.query(
      `select id, name, member_id, scopes, held_by_agent, expires_at from api_keys
       where site_id = $1 and session_id is not null and revoked_at is null and expires_at > $2 order by id`,
      [siteId, now],
    )
  ).rows;

export const domainOf = async (api: TestApi, siteId: string): Promise<string> =>
  (await api.db.pool.query('select domain from sites where id = $1', [siteId])).rows[0].domain;

/** The status and the code of an answer. */
export const refusal = ({ status, json }: Answer): readonly [number, string | undefined] => [
  status,
  json?.error?.code,
];
