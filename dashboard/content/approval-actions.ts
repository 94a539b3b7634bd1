import type { Approval } from '../../sdk/src/index.ts';
import { texts, useText } from '../text/texts.ts';

const actionTexts = texts(
  {
    'article.delete': 'Delete an article',
    'articles.delete': 'Delete several articles',
    'media.delete': 'Delete an image',
    'comment.delete': 'Delete a comment',
    'comments.erase': 'Erase a person’s comments',
    'key.create': 'Create a key',
    'key.rotate': 'Give a key a new secret',
    'key.revoke': 'Revoke a key',
    'webhook.create': 'Add a webhook',
    'webhook.update': 'Change a webhook',
    'webhook.rotate_secret': 'Give a webhook a new secret',
    'pipeline.run': 'Start a run',
    'seo_scan.start': 'Start a scan',
    'cms.push': 'Push articles to another system',
    'autopilot.update': 'Change the autopilot',
    'member.add': 'Add a member',
    'member.role': 'Change a member’s role',
    'member.remove': 'Remove a member',
  },
  {
    'article.delete': 'Einen Artikel löschen',
    'articles.delete': 'Mehrere Artikel löschen',
    'media.delete': 'Ein Bild löschen',
    'comment.delete': 'Einen Kommentar löschen',
    'comments.erase': 'Kommentare einer Person löschen',
    'key.create': 'Einen Schlüssel erstellen',
    'key.rotate': 'Einem Schlüssel ein neues Geheimnis geben',
    'key.revoke': 'Einen Schlüssel widerrufen',
    'webhook.create': 'Einen Webhook hinzufügen',
    'webhook.update': 'Einen Webhook ändern',
    'webhook.rotate_secret': 'Einem Webhook ein neues Geheimnis geben',
    'pipeline.run': 'Einen Durchlauf starten',
    'seo_scan.start': 'Eine Prüfung starten',
    'cms.push': 'Artikel in ein anderes System übertragen',
    'autopilot.update': 'Den Autopiloten ändern',
    'member.add': 'Ein Mitglied hinzufügen',
    'member.role': 'Die Rolle eines Mitglieds ändern',
    'member.remove': 'Ein Mitglied entfernen',
  },
);

type Gated = Pick<Approval, 'action' | 'path'>;

/** A bulk job that deletes has the action of a single deletion. */
export const actionOf = ({ action, path }: Gated): string =>
  action === 'article.delete' && path === '/articles/bulk' ? 'articles.delete' : action;

/** What the agent wants to do, in words. A later version of the API may have an action that has none here. */
export function useActionName(): (approval: Gated) => string {
  const text = useText(actionTexts);
  return (approval) => {
    const action = actionOf(approval);
    return Object.hasOwn(text, action) ? text[action as keyof typeof text] : action;
  };
}
