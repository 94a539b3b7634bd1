import { useState } from 'react';
import type { ReactNode } from 'react';
import { useItem } from '../../api/item.ts';
import { useText } from '../../text/texts.ts';
import { Button } from '../../ui/controls.ts';
import { onDemand } from '../../ui/on-demand.tsx';
import { autopilotTexts } from './autopilot-text.ts';

const AutopilotPanel = onDemand(async () => (await import('./autopilot-panel.tsx')).AutopilotPanel);

/** Says whether runs start by themselves, and opens the settings of that. */
export function AutopilotButton(): ReactNode {
  const text = useText(autopilotTexts);
  const [isOpen, setOpen] = useState(false);
  const { data } = useItem({
    key: ['autopilot'],
    load: (presswork, options) => presswork.autopilot.get(options),
  });
  return (
    <>
      <Button variant="default" onClick={() => setOpen(true)}>
        {data?.enabled ? text.on : text.off}
      </Button>
      {isOpen && <AutopilotPanel onClose={() => setOpen(false)} />}
    </>
  );
}
