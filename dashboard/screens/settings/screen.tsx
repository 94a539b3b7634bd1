import type { ReactNode } from 'react';
import { useSite } from '../../api/site.ts';
import { useText } from '../../text/texts.ts';
import { onDemand } from '../../ui/on-demand.tsx';
import { Page } from '../../ui/page.tsx';
import { CommentsSettings } from './comments.tsx';
import { OrganisationSettings } from './organisation.tsx';
import { SiteSettings } from './site.tsx';
import { screenTexts } from './text.ts';

const ChannelsSettings = onDemand(async () => (await import('./channels.tsx')).ChannelsSettings);

export function Screen(): ReactNode {
  const text = useText(screenTexts);
  const { rights } = useSite();
  return (
    <Page title={text.title} width="narrow">
      <SiteSettings />
      {rights.can('comments:write') && <CommentsSettings />}
      {rights.administers && <OrganisationSettings />}
      {rights.administers && rights.can('keys:write') && <ChannelsSettings />}
    </Page>
  );
}
