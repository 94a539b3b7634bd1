import { texts } from '../text/texts.ts';
import type { Rights } from '../api/site.ts';

export const navigationTexts = texts(
  {
    home: 'Home',
    notifications: 'Notifications',
    content: 'Content',
    articles: 'Articles',
    calendar: 'Calendar',
    'content-plan': 'Content plan',
    media: 'Media',
    categories: 'Categories',
    tags: 'Tags',
    authors: 'Authors',
    audience: 'Audience',
    comments: 'Comments',
    automation: 'Automation',
    runs: 'Runs',
    seo: 'SEO',
    'formats-and-prompts': 'Formats and prompts',
    approvals: 'Approvals',
    delivery: 'Delivery',
    webhooks: 'Webhooks',
    events: 'Events',
    site: 'Site',
    team: 'Team',
    keys: 'Keys and devices',
    usage: 'Usage',
    billing: 'Billing',
    'audit-log': 'Audit log',
    settings: 'Settings',
  },
  {
    home: 'Start',
    notifications: 'Mitteilungen',
    content: 'Inhalt',
    articles: 'Artikel',
    calendar: 'Kalender',
    'content-plan': 'Redaktionsplan',
    media: 'Medien',
    categories: 'Kategorien',
    tags: 'Schlagwörter',
    authors: 'Autoren',
    audience: 'Publikum',
    comments: 'Kommentare',
    automation: 'Automatisierung',
    runs: 'Durchläufe',
    seo: 'SEO',
    'formats-and-prompts': 'Formate und Prompts',
    approvals: 'Freigaben',
    delivery: 'Auslieferung',
    webhooks: 'Webhooks',
    events: 'Ereignisse',
    site: 'Site',
    team: 'Team',
    keys: 'Schlüssel und Geräte',
    usage: 'Verbrauch',
    billing: 'Abrechnung',
    'audit-log': 'Änderungsprotokoll',
    settings: 'Einstellungen',
  },
);

type May = (rights: Rights) => boolean;

const always: May = () => true;
const administers: May = ({ administers }) => administers;
const scope =
  (name: Parameters<Rights['can']>[0]): May =>
  (rights) =>
    rights.can(name);

/** The screens of a Site in their groups, each with who may open it. */
export const navigation = [
  {
    group: null,
    items: [
      { to: '/$siteId', name: 'home', may: always },
      { to: '/$siteId/notifications', name: 'notifications', may: scope('meta:read') },
    ],
  },
  {
    group: 'content',
    items: [
      { to: '/$siteId/articles', name: 'articles', may: scope('articles:read') },
      { to: '/$siteId/calendar', name: 'calendar', may: scope('articles:read') },
      { to: '/$siteId/content-plan', name: 'content-plan', may: scope('pipeline:read') },
      { to: '/$siteId/media', name: 'media', may: scope('media:read') },
      { to: '/$siteId/categories', name: 'categories', may: scope('taxonomy:read') },
      { to: '/$siteId/tags', name: 'tags', may: scope('taxonomy:read') },
      { to: '/$siteId/authors', name: 'authors', may: scope('authors:read') },
    ],
  },
  { group: 'audience', items: [{ to: '/$siteId/comments', name: 'comments', may: scope('comments:read') }] },
  {
    group: 'automation',
    items: [
      { to: '/$siteId/runs', name: 'runs', may: scope('pipeline:read') },
      { to: '/$siteId/seo', name: 'seo', may: scope('pipeline:read') },
      { to: '/$siteId/formats-and-prompts', name: 'formats-and-prompts', may: scope('meta:read') },
      { to: '/$siteId/approvals', name: 'approvals', may: administers },
      { to: '/$siteId/delivery', name: 'delivery', may: scope('meta:read') },
      { to: '/$siteId/webhooks', name: 'webhooks', may: scope('webhooks:read') },
      { to: '/$siteId/events', name: 'events', may: scope('webhooks:read') },
    ],
  },
  {
    group: 'site',
    items: [
      { to: '/$siteId/team', name: 'team', may: administers },
      { to: '/$siteId/keys', name: 'keys', may: scope('keys:read') },
      { to: '/$siteId/usage', name: 'usage', may: administers },
      { to: '/$siteId/billing', name: 'billing', may: administers },
      { to: '/$siteId/audit-log', name: 'audit-log', may: administers },
      { to: '/$siteId/settings', name: 'settings', may: administers },
    ],
  },
] as const;
