const url = 'https://blog.example.com/green-tea';
const image = 'https://blog.example.com/images/green-tea.jpg';

export const metaExample = {
  title: 'Green tea, and how to make it',
  description: 'Water that is too hot makes it bitter.',
  canonical_url: url,
  open_graph: {
    'og:type': 'article',
    'og:site_name': 'The Tea Blog',
    'og:locale': 'en_GB',
    'og:title': 'Green tea, and how to make it',
    'og:description': 'Water that is too hot makes it bitter.',
    'og:url': url,
    'og:image': image,
  },
  twitter: {
    'twitter:card': 'summary_large_image',
    'twitter:title': 'Green tea, and how to make it',
    'twitter:description': 'Water that is too hot makes it bitter.',
    'twitter:image': image,
  },
  json_ld: [
    {
      '@context': 'https://schema.org',
      '@type': 'Article',
      headline: 'Green tea, and how to make it',
      description: 'Water that is too hot makes it bitter.',
      url,
      mainEntityOfPage: { '@type': 'WebPage', '@id': url },
      image: [image],
      datePublished: '2026-03-01T09:00:00.000Z',
      dateModified: '2026-03-02T12:30:00.000Z',
      inLanguage: 'en-GB',
      publisher: { '@type': 'Organization', name: 'The Tea Blog', url: 'https://blog.example.com/' },
    },
  ],
};
