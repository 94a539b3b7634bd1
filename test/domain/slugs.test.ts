import { deriveSlug } from '../../packages/base/slugs.ts';

test.each([
  ['ﬁne ﬂow', 'fine-flow'],
  ['ｆｕｌｌ ｗｉｄｔｈ １２', 'full-width-12'],
  ['soft\u00ADhyphen and zero\u200Bwidth', 'softhyphen-and-zerowidth'],
  ['x²', 'x2'],
  ['Zoe\u0308', 'zoe'],
  ['Zoë', 'zoe'],
  ['Über Größe', 'ueber-groesse'],
  ['Don’t stop', 'dont-stop'],
  ['Tea & bread', 'tea-and-bread'],
  ['北京', null],
  ['!', null],
])('the slug of %j is %j', (text, slug) => {
  expect(deriveSlug(text)).toBe(slug);
});
