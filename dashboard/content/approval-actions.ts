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
    'article.publish': 'Publish an article',
    'article.unpublish': 'Unpublish an article',
    'article.schedule': 'Change when an article is published',
    'article.update_published': 'Change an article that readers see, or will see',
    'pending_edit.publish': 'Publish changes of an article',
    'pending_edit.schedule': 'Change what is published at a time',
    'articles.bulk': 'Change several articles',
    'connection.create': 'Add a connection',
    'connection.update': 'Change a connection',
    'connection.delete': 'Delete a connection',
    'category.delete': 'Delete a category',
    'tag.delete': 'Delete a tag',
    'author.delete': 'Delete an author',
    'webhook.delete': 'Delete a webhook',
    'plan_item.delete': 'Delete an item of the content plan',
    'prompt.reset': 'Reset a prompt',
    'prompt.try': 'Try a prompt',
    'preview_link.delete': 'Delete a preview link',
    'comments.settings': 'Change the settings of comments',
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
    'article.publish': 'Einen Artikel veröffentlichen',
    'article.unpublish': 'Die Veröffentlichung eines Artikels zurücknehmen',
    'article.schedule': 'Den Zeitpunkt eines Artikels ändern',
    'article.update_published': 'Einen Artikel ändern, den Leser sehen oder sehen werden',
    'pending_edit.publish': 'Änderungen eines Artikels veröffentlichen',
    'pending_edit.schedule': 'Ändern, was zu einem Zeitpunkt veröffentlicht wird',
    'articles.bulk': 'Mehrere Artikel ändern',
    'connection.create': 'Eine Verbindung hinzufügen',
    'connection.update': 'Eine Verbindung ändern',
    'connection.delete': 'Eine Verbindung löschen',
    'category.delete': 'Eine Kategorie löschen',
    'tag.delete': 'Ein Schlagwort löschen',
    'author.delete': 'Einen Autor löschen',
    'webhook.delete': 'Einen Webhook löschen',
    'plan_item.delete': 'Einen Eintrag des Redaktionsplans löschen',
    'prompt.reset': 'Einen Prompt zurücksetzen',
    'prompt.try': 'Einen Prompt ausprobieren',
    'preview_link.delete': 'Einen Vorschaulink löschen',
    'comments.settings': 'Die Einstellungen der Kommentare ändern',
  },
);

type Gated = Pick<Approval, 'action' | 'path'>;

/** A bulk job has the action of a single call, if that is gated. */
export function actionOf({ action, path }: Gated): string {
  if (path !== '/articles/bulk') return action;
  return action === 'article.delete' ? 'articles.delete' : 'articles.bulk';
}

/** The agent's request, in words. A later version of the API may have an action that has none here. */
export function useActionName(): (approval: Gated) => string {
  const text = useText(actionTexts);
  return (approval) => {
    const action = actionOf(approval);
    return Object.hasOwn(text, action) ? text[action as keyof typeof text] : action;
  };
}
