import type { ReactNode } from 'react';
import { useAccount } from '../../session/account.ts';
import { useText } from '../../text/texts.ts';
import { Page } from '../../ui/page.tsx';
import { Appearance } from './appearance.tsx';
import { Password } from './password.tsx';
import { SecondFactor } from './second-factor.tsx';
import { Sessions } from './sessions.tsx';
import { screenTexts } from './text.ts';

export function Screen(): ReactNode {
  const text = useText(screenTexts);
  const { email } = useAccount();
  return (
    <Page title={text.title} about={<bdi>{email}</bdi>} width="narrow">
      <Appearance />
      <Password />
      <SecondFactor />
      <Sessions />
    </Page>
  );
}
