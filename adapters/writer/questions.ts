/** What search engines take at most: Brave has the tightest limits. */
const QUESTION_LENGTH = 300;
const QUESTION_WORDS = 50;

/** A question as it is searched for. */
export const asQuestion = (text: string): string =>
  text.trim().split(/\s+/).slice(0, QUESTION_WORDS).join(' ').slice(0, QUESTION_LENGTH).toWellFormed();

/** How a model is asked what to search for before facts are collected. No Site has one of its own. */
export const questionsTemplate = `Say what to search the web for, before an article on this topic is written.

Topic: {{title}}
Keywords: {{keywords}}
Today: {{date}}

<blog>
{{site}}
</blog>
<notes-on-this-topic>
{{notes}}
</notes-on-this-topic>

- Give at most eight questions, each as somebody would type it into a search engine, with at most 300 characters.
- Each asks for facts that the article needs and that a good page can answer: figures, dates, rules, methods, experience. No two ask for the same.
- Put the most important question first. A narrow topic needs fewer of them.
- Ask in the language in which the best pages on it are written.
- Ask for nothing about private persons, and name no page.`;
