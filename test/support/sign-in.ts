import type { Ports } from '../../api/framework/ports.ts';
import { startApi } from './api.ts';
import type { ApiOptions, TestApi } from './api.ts';
import { buildPerson, buildTenant } from './builders.ts';
import type { Tenant } from './builders.ts';
import { TestClock } from './clock.ts';
import { sharedDatabase } from './database.ts';
import { PageVisitor } from './page.ts';

export type Person = Awaited<ReturnType<typeof buildPerson>>;

/** A person who can sign in, and their browser. */
export interface SignInCase {
  readonly tenant: Tenant;
  readonly person: Person;
  readonly visitor: PageVisitor;
}

/** An API with a frozen clock. */
export interface SignInStack {
  readonly api: TestApi;
  readonly clock: TestClock;
  /** For one test: a new tenant, at a later time, when limits and sessions of other tests have expired. */
  nextTenant(): Promise<Tenant>;
  /** The same, with a person who can sign in. */
  nextCase(): Promise<SignInCase>;
}

const START = Date.parse('2030-01-01T12:00:00Z');
const BETWEEN_MS = 100 * 3_600_000;
/** Of all files of this process, which share its database. */
let tests = 0;

/** @param options of the API; by default, it is on the database of this process */
export async function startSignInStack(
  ports: Partial<Ports> = {},
  options?: ApiOptions,
): Promise<SignInStack> {
  const clock = new TestClock();
  const api = await startApi({ ...ports, clock }, options ?? { on: await sharedDatabase() });
  const nextTenant = (): Promise<Tenant> => {
    clock.freeze(new Date(START + (tests += 1) * BETWEEN_MS));
    return buildTenant(api.db);
  };
  return {
    api,
    clock,
    nextTenant,
    async nextCase() {
      const tenant = await nextTenant();
      const person = await buildPerson(api.db, tenant.organisationId);
      return { tenant, person, visitor: new PageVisitor(api) };
    },
  };
}
