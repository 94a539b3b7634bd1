import { convert, exportsFolder, wxr, wxrPost } from './converter.ts';

const folder = exportsFolder();
afterAll(() => folder.remove());

async function contentOf(content: string): Promise<string> {
  const path = folder.write('shortcodes.xml', wxr(wxrPost({ 'content:encoded': content })));
  const { code, file } = await convert('wordpress', path);
  expect(code).toBe(0);
  return file.articles[0].content;
}

test.each([
  ['[et_pb_blurb title="A blurb"]<p>Body</p>[/et_pb_blurb]', 'A blurb\n\nBody'],
  [
    '[et_pb_button button_url="https://x.example/b" button_text="Press"][/et_pb_button]',
    '[Press](https://x.example/b)',
  ],
  ['[et_pb_image src="https://x.example/i.png"]', '![](https://x.example/i.png)'],
  ['[vc_custom_heading text="A heading"]', 'A heading'],
  ['[vc_btn title="Go" link="url:https%3A%2F%2Fx.example%2Fa|target:_blank"]', '[Go](https://x.example/a)'],
  ['[vc_video link="https://youtu.be/x"]', '<https://youtu.be/x>'],
  [`[vc_raw_html]${Buffer.from('%3Cb%3EBold%3C%2Fb%3E').toString('base64')}[/vc_raw_html]`, '**Bold**'],
  ["[av_button label='Go' link='manually,https://x.example']", '[Go](https://x.example)'],
  ['[fusion_toggle title="Why?"]Because[/fusion_toggle]', 'Why?\n\nBecause'],
])('what a page builder shows stays: %s', async (given, expected) => {
  expect(await contentOf(given)).toBe(expected);
});

test('the footnotes of plug-ins become notes of Markdown', async () => {
  const content = await contentOf(
    'A[ref]One [[ref]].[/ref] b[efn_note]<em>Two</em>[/efn_note] c [footnote]three',
  );
  expect(content).toBe('A[^1] b[^2] c \\[footnote]three\n\n[^1]: One \\[ref].\n\n[^2]: *Two*');
});

test('a shortcode in two brackets is shown, with its content', async () => {
  const content = await contentOf('Type [[caption]x[/caption]] or [[gallery]].');
  expect(content).toBe('Type \\[caption]x\\[/caption] or \\[gallery].');
});

test('a shortcode that closes itself says nothing of the next of its name', async () => {
  const content = await contentOf('[embed src="https://x.example/1" /] [embed]https://x.example/2[/embed]');
  expect(content).toBe('<https://x.example/1>\n\n<https://x.example/2>');
});
