import { convert, exportsFolder, ghostExport, ghostPost } from './converter.ts';
import type { Conversion } from './converter.ts';

const folder = exportsFolder();
afterAll(() => folder.remove());

const convertPost = (given: object): Promise<Conversion> =>
  convert('ghost', folder.write('cards.json', ghostExport({ posts: [ghostPost(given)] })));

const card = (...children: readonly object[]): string => JSON.stringify({ root: { children } });

test.each([
  [
    'a bookmark, with where it is from',
    {
      html: '<figure class="kg-bookmark-card"><a href="https://x.example"><div class="kg-bookmark-title">T</div><span class="kg-bookmark-author">Ann</span><span class="kg-bookmark-publisher">Paper</span></a></figure>',
    },
    '[T](https://x.example)\n\nAnn · Paper',
  ],
  [
    'a file, with its name and size',
    {
      html: '<div class="kg-file-card"><a href="https://x.example/f"><div class="kg-file-card-title">T</div><div class="kg-file-card-filename">f.pdf</div><div class="kg-file-card-filesize">3 MB</div></a></div>',
    },
    '[T](https://x.example/f)\n\nf.pdf, 3 MB',
  ],
  [
    'a bookmark of the editor',
    {
      html: '',
      lexical: card({
        type: 'bookmark',
        url: 'https://x.example',
        metadata: { title: 'T', publisher: 'Paper' },
      }),
    },
    '[T](https://x.example)\n\nPaper',
  ],
  [
    'the button of a header',
    {
      html: '',
      lexical: card({
        type: 'header',
        header: 'H',
        buttonEnabled: true,
        buttonText: 'Go',
        buttonUrl: 'https://x.example',
      }),
    },
    '## H\n\n[Go](https://x.example)',
  ],
  [
    'a call to action',
    {
      html: '',
      lexical: card({
        type: 'call-to-action',
        textValue: '<p>Do it</p>',
        buttonText: 'Go',
        buttonUrl: 'https://x.example',
      }),
    },
    'Do it\n\n[Go](https://x.example)',
  ],
  [
    'parts of a text that are no text nodes',
    {
      html: '',
      lexical: card({
        type: 'paragraph',
        children: [
          { type: 'emoji', text: '😀' },
          { type: 'zwnj' },
          { type: 'x', children: [{ type: 'text', text: 'y' }] },
        ],
      }),
    },
    '😀y',
  ],
  ['the Markdown of the oldest versions', { html: null, markdown: '# A\n\n*b*' }, '# A\n\n*b*'],
])('%s', async (_, given, content) => {
  const { file, stderr } = await convertPost(given);
  expect(file.articles[0].content).toBe(content);
  expect(stderr).not.toContain('warning');
});

test.each([
  [
    'rendered',
    {
      html: '<p>a</p><!--kg-gated-block:begin nonMember:false memberSegment:"status:free" --><p>b</p><!--kg-gated-block:end-->',
    },
  ],
  [
    'in the editor’s document',
    {
      html: '',
      lexical: card({ type: 'html', html: '<p>b</p>', visibility: { web: { nonMember: false } } }),
    },
  ],
])('a post with a card for members only becomes a draft: %s', async (_, given) => {
  const { file, stderr } = await convertPost(given);
  expect(file.articles[0].status).toBe('draft');
  expect(stderr).toContain('has parts for members only');
});
