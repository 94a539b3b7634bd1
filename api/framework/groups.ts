/** The headings of the reference, in order (docs/spec/rulings.md, 17). */
export const groups = [
  { name: 'Meta', description: 'The key and its Site. Begin with `GET /ping` to see whether a key works.' },
  {
    name: 'Formats',
    description: 'Article formats: the outline and the structured blocks that the pipeline writes.',
  },
  {
    name: 'Prompts',
    description: 'The templates that the stages of the pipeline send to the language model.',
  },
  { name: 'Usage', description: 'The plan, what is used of it, and every change of the credit balance.' },
  {
    name: 'Billing',
    description:
      'Packs of credits, the subscription, automatic purchases and invoices. Credits and plan come with the payment; every movement is in `GET /usage/ledger`.',
  },
  {
    name: 'Articles',
    description:
      'Articles and their life: draft, scheduled, published. A publishable key reads published articles only.',
  },
  {
    name: 'Reviews',
    description:
      'Whether a text may be published: asked of people before it is. A Site may want approvals with `required_reviews`.',
  },
  {
    name: 'Notes',
    description: 'What the team remarks on an article, in threads. Readers never see it.',
  },
  {
    name: 'Previews',
    description:
      'Links that show an article before it is published. `{origin}/preview/<token>` is a page, and with `Accept: application/json` the article with `content_html`.',
  },
  { name: 'Categories', description: 'Categories of articles. An article has at most one.' },
  { name: 'Tags', description: 'Tags of articles. An article has any number of them, up to 100.' },
  { name: 'Authors', description: 'Bylines of articles. They need not be members of the team.' },
  {
    name: 'Media',
    description:
      'The image library. An upload takes three steps: reserve it, PUT the bytes to storage, register it.',
  },
  { name: 'Comments', description: 'Comments of readers, their moderation, and the settings for both.' },
  {
    name: 'Content plan',
    description:
      'What the Site wants to write, in an order that people give it. A run of the pipeline, or the autopilot, makes articles of it.',
  },
  { name: 'Pipeline', description: 'Runs of the AI pipeline, which writes articles for credits.' },
  { name: 'SEO', description: 'What search engines see: scans, their findings, and links from other sites.' },
  {
    name: 'API keys',
    description: 'Keys of the Site. A secret is shown once, by the answer that creates it.',
  },
  { name: 'Device sign-in', description: 'How a device without a browser gets a key (RFC 8628).' },
  { name: 'Organisation', description: 'Settings that all Sites of the organisation share.' },
  { name: 'Team', description: 'The members of the organisation and their roles.' },
  {
    name: 'Notifications',
    description:
      'What the person of a key is told, and how. Each person has a list of their own. Channels of Slack and Teams tell what concerns the Site.',
  },
  { name: 'Audit log', description: 'Who changed what, and when.' },
  {
    name: 'Approvals',
    description:
      'What agents asked for and people decide. An approved request is repeated with Service-Approval.',
  },
  {
    name: 'Webhooks',
    description: 'Endpoints that receive events, their delivery attempts, and redelivery.',
  },
  {
    name: 'Pushes',
    description:
      'Connections to other systems (a git repository, Ghost, WordPress, or any receiver), and pushes of articles to them.',
  },
  { name: 'Events', description: 'The events of the last 30 days, in the form in which they are delivered.' },
] as const;

export type Group = (typeof groups)[number]['name'];
