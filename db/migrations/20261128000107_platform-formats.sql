-- Up Migration

-- The formats of the platform, with fixed ids. A Site's own format of the same key stands in front of one.
insert into content_types (id, site_id, key, name, blueprint, created_at, updated_at) values
  ('0197a0c4-0000-7000-8000-000000000001', null, 'article', 'Article', '{
  "requires": [
    "key_takeaways"
  ],
  "sections": [
    {
      "heading": "Introduction",
      "guidance": "Open with the reader''s question or problem and answer it in two or three sentences. Say what the article covers. No definitions that the reader does not need yet.",
      "min_words": 80,
      "max_words": 160
    },
    {
      "heading": "Background",
      "guidance": "What the reader has to know to follow the rest: terms, how it came to be, why it matters now. Only facts that the source or common knowledge bears out.",
      "min_words": 120,
      "max_words": 300
    },
    {
      "heading": "Main points",
      "guidance": "The substance, under three to five subheadings of its own. One idea each, with a concrete example, figure or comparison. The most useful one first.",
      "min_words": 400,
      "max_words": 1200
    },
    {
      "heading": "What it means in practice",
      "guidance": "What the reader can do with it: decisions, next steps, pitfalls. Address the reader directly.",
      "min_words": 120,
      "max_words": 300
    },
    {
      "heading": "Conclusion",
      "guidance": "The answer once more, in other words and without new facts. End with the one thing to remember or to do.",
      "min_words": 60,
      "max_words": 140
    }
  ]
}', '2026-11-21T00:00:00Z', '2026-11-21T00:00:00Z'),
  ('0197a0c4-0000-7000-8000-000000000002', null, 'how-to', 'How-to guide', '{
  "requires": [
    "howto_steps",
    "key_takeaways",
    "faqs"
  ],
  "sections": [
    {
      "heading": "What you will achieve",
      "guidance": "The result in one or two sentences, for whom it is, how long it takes and how hard it is.",
      "min_words": 60,
      "max_words": 140
    },
    {
      "heading": "What you need",
      "guidance": "Tools, materials, access, knowledge and costs, as a list. Say what can be left out or replaced.",
      "min_words": 40,
      "max_words": 200
    },
    {
      "heading": "Step by step",
      "guidance": "Numbered steps in the order they are done, one action each, beginning with a verb. After each step say how the reader sees that it worked. Warn before a step that cannot be undone. The same steps fill the structured steps.",
      "min_words": 400,
      "max_words": 1500
    },
    {
      "heading": "When something goes wrong",
      "guidance": "The usual mistakes: what the reader sees, the cause, the remedy.",
      "min_words": 120,
      "max_words": 400
    },
    {
      "heading": "What to do next",
      "guidance": "What builds on the result, and how it is kept up.",
      "min_words": 50,
      "max_words": 160
    }
  ]
}', '2026-11-21T00:00:00Z', '2026-11-21T00:00:00Z'),
  ('0197a0c4-0000-7000-8000-000000000003', null, 'listicle', 'List article', '{
  "requires": [
    "key_takeaways"
  ],
  "sections": [
    {
      "heading": "Introduction",
      "guidance": "What is listed, for whom, and by which criteria the entries were chosen and ordered. Be short: readers come for the list.",
      "min_words": 60,
      "max_words": 140
    },
    {
      "heading": "The list",
      "guidance": "Five to twelve entries, each under a numbered subheading with a name that can be told from the others. For each: what it is, why it is here, for whom it is right, and one drawback. Entries of about equal length.",
      "min_words": 500,
      "max_words": 1800
    },
    {
      "heading": "How to choose",
      "guidance": "Which entry fits which reader or situation, in a few sentences or a short list.",
      "min_words": 80,
      "max_words": 250
    },
    {
      "heading": "Conclusion",
      "guidance": "The first choice for most readers, and why.",
      "min_words": 40,
      "max_words": 120
    }
  ]
}', '2026-11-21T00:00:00Z', '2026-11-21T00:00:00Z'),
  ('0197a0c4-0000-7000-8000-000000000004', null, 'comparison', 'Comparison', '{
  "requires": [
    "comparison",
    "key_takeaways",
    "faqs"
  ],
  "sections": [
    {
      "heading": "The short answer",
      "guidance": "Which option is right for whom, in two to four sentences, before any detail.",
      "min_words": 60,
      "max_words": 150
    },
    {
      "heading": "What is compared",
      "guidance": "Each option in a few sentences: what it is, who makes it, for whom it is meant. The same points for each, in the same order.",
      "min_words": 120,
      "max_words": 400
    },
    {
      "heading": "Side by side",
      "guidance": "The criteria that decide, one subheading each: say what differs, with figures where there are any, and which option is ahead. The structured comparison has the same criteria as rows and the options as columns.",
      "min_words": 300,
      "max_words": 1200
    },
    {
      "heading": "Strengths and weaknesses",
      "guidance": "For each option a short list of both. Fair: every option has some of each.",
      "min_words": 120,
      "max_words": 400
    },
    {
      "heading": "Which one to choose",
      "guidance": "Recommendations by need, budget and situation. Say when none of them is right.",
      "min_words": 100,
      "max_words": 300
    }
  ]
}', '2026-11-21T00:00:00Z', '2026-11-21T00:00:00Z'),
  ('0197a0c4-0000-7000-8000-000000000005', null, 'faq', 'Questions and answers', '{
  "requires": [
    "faqs"
  ],
  "sections": [
    {
      "heading": "Introduction",
      "guidance": "What the questions are about and for whom, in two or three sentences.",
      "min_words": 40,
      "max_words": 100
    },
    {
      "heading": "The essentials",
      "guidance": "The three or four questions asked most, each as a subheading in the words readers use. Answer in the first sentence, then explain.",
      "min_words": 200,
      "max_words": 700
    },
    {
      "heading": "Details",
      "guidance": "Further questions, grouped by theme, from general to special. One question each, no answer over 150 words. All questions and answers fill the structured questions too.",
      "min_words": 250,
      "max_words": 1200
    },
    {
      "heading": "Still open",
      "guidance": "Where the reader finds help with what is not answered here.",
      "min_words": 30,
      "max_words": 100
    }
  ]
}', '2026-11-21T00:00:00Z', '2026-11-21T00:00:00Z'),
  ('0197a0c4-0000-7000-8000-000000000006', null, 'news', 'News', '{
  "requires": [
    "key_takeaways"
  ],
  "sections": [
    {
      "heading": "Lead",
      "guidance": "Who did what, when, where and why, in the first two sentences. The most important fact first. No opinion.",
      "min_words": 40,
      "max_words": 100
    },
    {
      "heading": "What happened",
      "guidance": "The facts in order of importance, each with its source. Quotes only where the source has them, word for word. Dates and figures exactly as given.",
      "min_words": 150,
      "max_words": 500
    },
    {
      "heading": "Background",
      "guidance": "What led to it, and what readers need to place it.",
      "min_words": 80,
      "max_words": 300
    },
    {
      "heading": "What it means",
      "guidance": "Consequences for those concerned, told apart: what is certain, what is expected and by whom.",
      "min_words": 80,
      "max_words": 300
    },
    {
      "heading": "What comes next",
      "guidance": "Dates, decisions and open questions ahead.",
      "min_words": 30,
      "max_words": 150
    }
  ]
}', '2026-11-21T00:00:00Z', '2026-11-21T00:00:00Z');
