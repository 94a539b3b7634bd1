import type { Language } from '../../sign-in/language.ts';
import type { Scope } from '../../../../domain/access/scopes.ts';

const en: Readonly<Record<Scope, string>> = {
  'articles:read': 'Read articles, including drafts',
  'articles:write': 'Write, publish and delete articles',
  'taxonomy:read': 'Read categories and tags',
  'taxonomy:write': 'Change categories and tags',
  'authors:read': 'Read authors',
  'authors:write': 'Change authors',
  'media:read': 'See the media library',
  'media:write': 'Upload, change and delete media',
  'pipeline:read': 'See pipeline runs',
  'pipeline:run': 'Run the AI pipeline, which spends credits',
  'keys:read': 'See API keys',
  'keys:write':
    'Create, rotate and revoke API keys, sign devices in, add, change and remove members, and change the organisation’s settings',
  'webhooks:read': 'See webhooks and their deliveries, which include articles and unmoderated comments',
  'webhooks:write': 'Change webhooks',
  'meta:read':
    'See the Site, its article formats, usage, credits and audit log, the organisation’s settings, and its members with their e-mail addresses',
  'comments:read': 'Read comments, with readers’ e-mail addresses',
  'comments:write': 'Moderate and erase comments',
  'engagement:write': 'Submit comments on behalf of readers',
  'prompts:write': 'Change AI prompts and article formats',
};

const de: Readonly<Record<Scope, string>> = {
  'articles:read': 'Artikel lesen, auch Entwürfe',
  'articles:write': 'Artikel schreiben, veröffentlichen und löschen',
  'taxonomy:read': 'Kategorien und Tags lesen',
  'taxonomy:write': 'Kategorien und Tags ändern',
  'authors:read': 'Autoren lesen',
  'authors:write': 'Autoren ändern',
  'media:read': 'Die Mediathek sehen',
  'media:write': 'Medien hochladen, ändern und löschen',
  'pipeline:read': 'Läufe der Pipeline sehen',
  'pipeline:run': 'Die KI-Pipeline starten, was Guthaben kostet',
  'keys:read': 'API-Schlüssel sehen',
  'keys:write':
    'API-Schlüssel erstellen, erneuern und widerrufen, Geräte anmelden, Mitglieder hinzufügen, ändern und entfernen, und die Einstellungen der Organisation ändern',
  'webhooks:read':
    'Webhooks und ihre Zustellungen sehen, die Artikel und nicht moderierte Kommentare enthalten',
  'webhooks:write': 'Webhooks ändern',
  'meta:read':
    'Die Site sehen, ihre Artikelformate, Nutzung, Guthaben und das Audit-Log, die Einstellungen der Organisation und ihre Mitglieder mit deren E-Mail-Adressen',
  'comments:read': 'Kommentare lesen, mit den E-Mail-Adressen der Leser',
  'comments:write': 'Kommentare moderieren und löschen',
  'engagement:write': 'Kommentare im Namen von Lesern abgeben',
  'prompts:write': 'KI-Prompts und Artikelformate ändern',
};

/** Scopes in plain words, for the verification page. */
export const scopeNames: Readonly<Record<Language, Readonly<Record<Scope, string>>>> = { en, de };
