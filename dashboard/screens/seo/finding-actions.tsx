import type { ReactNode } from 'react';
import type { Finding } from '../../../sdk/src/index.ts';
import { useChange } from '../../api/change.ts';
import { useText } from '../../text/texts.ts';
import { Menu } from '../../ui/controls.ts';
import { RowMenu } from '../../ui/row-menu.tsx';
import { useRules } from './rules.ts';
import { screenTexts } from './text.ts';

/** The actions of one finding. */
export function FindingActions({ finding: { id, rule, status } }: { readonly finding: Finding }): ReactNode {
  const text = useText(screenTexts);
  const { name } = useRules()(rule);
  const curate = useChange({
    send: (presswork, next: 'open' | 'dismissed') => presswork.seo.updateFinding(id, { status: next }),
    touches: ['seo'],
    done: (_, next) => (next === 'open' ? text.reopened : text.dismissed),
  });
  const plan = useChange({
    send: (presswork, _: void, { idempotencyKey }) => presswork.seo.planFinding(id, { idempotencyKey }),
    touches: ['plan', 'seo'],
    done: ({ title }) => text.planned(title),
  });
  return (
    <RowMenu label={text.actionsFor(name)}>
      {status === 'dismissed' ? (
        <Menu.Item onClick={() => curate.mutate('open')}>{text.reopen}</Menu.Item>
      ) : (
        <Menu.Item onClick={() => curate.mutate('dismissed')}>{text.dismiss}</Menu.Item>
      )}
      <Menu.Item onClick={() => plan.mutate()}>{text.plan}</Menu.Item>
    </RowMenu>
  );
}
