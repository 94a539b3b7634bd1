import { useState } from 'react';
import type { ReactNode } from 'react';
import { useAccount } from '../../session/account.ts';
import { useText } from '../../text/texts.ts';
import { Button, Group } from '../../ui/controls.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Sign } from '../../ui/sign.tsx';
import { EndFactor } from './end-factor.tsx';
import { RenewCodes } from './renew-codes.tsx';
import { Section } from './section.tsx';
import { StartFactor } from './start-factor.tsx';
import { screenTexts } from './text.ts';

const FEW = 4;

export function SecondFactor(): ReactNode {
  const text = useText(screenTexts).factor;
  const { enabled, recovery_codes_left: left } = useAccount().two_factor;
  const [open, setOpen] = useState<'start' | 'renew' | 'end' | null>(null);
  const close = (): void => setOpen(null);
  return (
    <Section
      title={text.title}
      sign={<Sign tone={enabled ? 'good' : 'quiet'}>{enabled ? text.on : text.off}</Sign>}
      about={enabled ? `${text.aboutOn} ${text.codesLeft(left)}` : text.aboutOff}
    >
      {enabled && left < FEW && <p role="status">{text.codesFew}</p>}
      {enabled ? (
        <Group gap="xs">
          <Button variant="default" onClick={() => setOpen('renew')}>
            {text.renew}
          </Button>
          <Button variant="default" onClick={() => setOpen('end')}>
            {text.turnOff}
          </Button>
        </Group>
      ) : (
        <Button onClick={() => setOpen('start')}>{text.turnOn}</Button>
      )}
      <Dialog opened={open === 'start'} onClose={close} title={text.title} closesOutside={false}>
        <StartFactor onClose={close} />
      </Dialog>
      <Dialog opened={open === 'renew'} onClose={close} title={text.renewal.title} closesOutside={false}>
        <RenewCodes onClose={close} />
      </Dialog>
      <Dialog opened={open === 'end'} onClose={close} title={text.end.title}>
        <EndFactor onClose={close} />
      </Dialog>
    </Section>
  );
}
