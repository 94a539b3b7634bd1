import { composePost } from '../../../domain/notifications/compose-post.ts';
import { kinds, mutable } from '../../../domain/notifications/kinds.ts';
import { textToAll } from '../../../domain/notifications/present.ts';

const url = 'https://cms.example.com/dashboard/0197a0c4/articles/0197a0c5';
const post = (text: string, siteName = 'Tea') => ({ text, url, siteName, language: 'en' as const });
const slack = (text: string, siteName?: string): any => composePost('slack', post(text, siteName));
const card = (text: string, siteName?: string): any =>
  (composePost('teams', post(text, siteName)) as any).attachments[0].content;

const LONG = '&<>'.repeat(2_000);
const texts = [
  'Plain.',
  LONG,
  '<!channel> <@U123> <https://evil.example|Your bank>',
  '[Your bank](https://evil.example) ![x](https://evil.example/p.png)',
  '*a* _b_ ~c~ `d` @here @channel',
  '{{DATE(2026-03-01T10:00:00Z, SHORT)}}',
  'One\nTwo\r\n- Three\u202Eeerht',
  '👍'.repeat(1_000),
];

/** What Slack documents of messages and Block Kit: https://docs.slack.dev/reference/block-kit/blocks. */
test.each(texts)('a message for Slack keeps to its limits: %#', (text) => {
  const message = slack(text, text);
  expect(Object.keys(message)).toEqual(['text', 'blocks']);
  expect(message.text.length).toBeLessThanOrEqual(4_000);
  expect(message.blocks.length).toBeLessThanOrEqual(50);
  for (const block of message.blocks) {
    expect(['section', 'context']).toContain(block.type);
    const shown = block.type === 'section' ? [block.text] : block.elements;
    expect(shown.length).toBeLessThanOrEqual(10);
    for (const object of shown) {
      expect(object.type).toBe('mrkdwn');
      expect(object.text.length).toBeGreaterThanOrEqual(1);
      expect(object.text.length).toBeLessThanOrEqual(3_000);
    }
  }
});

/** What the schema of Adaptive Cards 1.4 wants of the elements that are used: https://adaptivecards.io/explorer. */
test.each(texts)('a card for Teams keeps to the schema of Adaptive Cards: %#', (text) => {
  const message = composePost('teams', post(text, text)) as any;
  expect(message).toEqual({
    type: 'message',
    attachments: [
      {
        contentType: 'application/vnd.microsoft.card.adaptive',
        contentUrl: null,
        content: expect.anything(),
      },
    ],
  });
  const { body, actions, ...head } = message.attachments[0].content;
  expect(head).toEqual({
    $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
    type: 'AdaptiveCard',
    version: '1.4',
  });
  for (const { text: shown, ...element } of body) {
    expect(typeof shown).toBe('string');
    expect([
      { type: 'TextBlock', wrap: true },
      { type: 'TextBlock', wrap: true, isSubtle: true, size: 'Small' },
    ]).toContainEqual(element);
  }
  expect(actions).toEqual([{ type: 'Action.OpenUrl', title: 'Open', url }]);
  // Teams takes at most 28 KB.
  expect(Buffer.byteLength(JSON.stringify(message))).toBeLessThan(28_000);
});

test('what strangers wrote is no markup in Slack, Mattermost and Rocket.Chat', () => {
  for (const text of texts)
    for (const shown of [slack(text).blocks[0].text.text, slack('One', text).blocks[1].elements[0].text]) {
      const escaped = shown.replace(`<${url}|Open>`, '');
      expect(escaped).not.toMatch(/[<>*_~`]|&(?!amp;|lt;|gt;)|\]\(|@[a-z]|[\r\n\u202E]/);
    }
  expect(slack('Tea & <b>Cake</b>').text).toBe(`Tea &amp; &lt;b&gt;Cake&lt;/b&gt; <${url}|Open>`);
});

test('what strangers wrote is no Markdown in an Adaptive Card', () => {
  for (const text of texts)
    for (const { text: shown } of card(text, text).body)
      expect(shown).not.toMatch(/(?<!\\)[`*_~[\]{}<>&|]|[\r\n\u202E]/);
  expect(card('“[Bank](https://evil.example)” waits.').body[0].text).toBe(
    String.raw`“\[Bank\](https://evil.example)” waits.`,
  );
});

test('what a channel is told speaks to nobody in particular', () => {
  for (const kind of mutable)
    for (const language of ['en', 'de'] as const) {
      const text = textToAll(kind, { title: 'Tea', action: 'article.delete', articles: '2' }, language);
      expect(text).not.toMatch(/\b(you|your|sie|ihre?)\b/i);
      expect(text).not.toContain('undefined');
      expect(kinds[kind].screen('0197a0c4')).not.toBe('');
    }
});
