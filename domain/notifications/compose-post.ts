import type { ChannelKind } from './channel.ts';
import type { Language } from './kinds.ts';

/** What a channel shows. */
export interface Post {
  readonly text: string;
  /** The screen of the dashboard that shows it. */
  readonly url: string;
  readonly siteName: string;
  readonly language: Language;
}

/** Of a Site. */
export const languageOf = (locale: string): Language => (/^de\b/i.test(locale) ? 'de' : 'en');

const open: Readonly<Record<Language, string>> = { en: 'Open', de: 'Öffnen' };

/** Characters of a text: escaped, it stays below what each of them takes. */
const LONGEST = 500;

/** A message in the form of its channel: what strangers wrote is text in it, without a markup. */
export function composePost(kind: ChannelKind, post: Post): object {
  const shown = { ...post, text: plain(post.text), siteName: plain(post.siteName) };
  return kind === 'slack' ? composeForSlack(shown) : composeForTeams(shown);
}

/** As incoming webhooks of Slack take it. Mattermost and Rocket.Chat show `text`. */
function composeForSlack({ text, url, siteName, language }: Post): object {
  const escaped = escapeMrkdwn(text);
  const link = `<${url}|${open[language]}>`;
  return {
    text: `${escaped} ${link}`,
    blocks: [
      { type: 'section', text: { type: 'mrkdwn', text: escaped, verbatim: true } },
      { type: 'context', elements: [{ type: 'mrkdwn', text: `${link} · ${escapeMrkdwn(siteName)}` }] },
    ],
  };
}

/** An Adaptive Card, as Teams and Power Automate take it. */
const composeForTeams = ({ text, url, siteName, language }: Post): object => ({
  type: 'message',
  attachments: [
    {
      contentType: 'application/vnd.microsoft.card.adaptive',
      contentUrl: null,
      content: {
        $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
        type: 'AdaptiveCard',
        version: '1.4',
        body: [
          { type: 'TextBlock', text: escapeMarkdown(text), wrap: true },
          {
            type: 'TextBlock',
            text: `Presswork · ${escapeMarkdown(siteName)}`,
            isSubtle: true,
            size: 'Small',
            wrap: true,
          },
        ],
        actions: [{ type: 'Action.OpenUrl', title: open[language], url }],
      },
    },
  ],
});

/** On one line, without characters that hide or reorder the text around them, and not too long. */
function plain(text: string): string {
  const characters = [...text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ')];
  return characters.length <= LONGEST ? characters.join('') : `${characters.slice(0, LONGEST - 1).join('')}…`;
}

/**
 * Slack escapes three characters, and nothing else: others that format are replaced by similar ones. An invisible one
 * keeps Mattermost and Rocket.Chat from reading a link or a mention.
 */
const inMrkdwn: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '*': '\u2217',
  _: '\u02CD',
  '~': '\u223C',
  '`': '\u02CB',
  ']': ']\u200B',
  '@': '@\u200B',
};

const escapeMrkdwn = (text: string): string =>
  text.replaceAll(/[&<>*_~`\]@]/g, (character) => inMrkdwn[character] ?? '');

/** The Markdown of Adaptive Cards, and their functions such as {{DATE()}}. */
const escapeMarkdown = (text: string): string => text.replaceAll(/[\\`*_~[\]{}<>&|]/g, String.raw`\$&`);
