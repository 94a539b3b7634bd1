import type { Answer, TestApi } from './api.ts';

/** The answer of POST /auth/device. */
export interface StartedSignIn {
  readonly device_code: string;
  readonly user_code: string;
  readonly verification_uri: string;
  readonly verification_uri_complete: string;
}

/** Starts a device sign-in through the API. */
export async function startDeviceSignIn(api: TestApi, body: object = {}): Promise<StartedSignIn> {
  const answer = await api.request('POST', '/auth/device', { body: { client_name: 'A device', ...body } });
  if (answer.status !== 200) throw new Error(`expected 200, got ${answer.status}: ${answer.text}`);
  return answer.data as StartedSignIn;
}

export const poll = (
  api: Pick<TestApi, 'request'>,
  { device_code }: Pick<StartedSignIn, 'device_code'>,
): Promise<Answer> => api.request('POST', '/auth/device/token', { body: { device_code } });

/** A user code that was never issued. */
export const wrongCode = (): string => {
  const letters = 'BCDFGHJKLMNPQRSTVWXZ';
  const four = (): string =>
    Array.from({ length: 4 }, () => letters[Math.floor(Math.random() * letters.length)]).join('');
  return `${four()}-${four()}`;
};
