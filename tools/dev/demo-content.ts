export const demoCategories = ['Bread', 'Preserving', 'Soups', 'Kitchen science'] as const;

export const demoTags = [
  'sourdough',
  'winter',
  'beginner',
  'fermentation',
  'equipment',
  'vegetarian',
] as const;

export const demoAuthors = [
  {
    name: 'Ines Falk',
    bio: 'Baker for eleven years, the last six of them with a wood-fired oven in the Uckermark.',
  },
  { name: 'Tomás Riera', bio: 'Cooks, measures, and writes down what went wrong. Former chemist.' },
] as const;

interface DemoArticle {
  readonly title: string;
  readonly excerpt: string;
  readonly content: string;
  readonly category: (typeof demoCategories)[number];
  readonly author: (typeof demoAuthors)[number]['name'];
  readonly tags: readonly (typeof demoTags)[number][];
  /** When it was published; null for a draft. */
  readonly daysAgo: number | null;
  readonly key_takeaways?: string[];
  readonly faqs?: { question: string; answer: string }[];
}

export const demoArticles: readonly DemoArticle[] = [
  {
    title: 'A sourdough loaf for a weekday',
    excerpt: 'Mixed on Monday evening, baked on Tuesday after work, with twenty minutes of attention in all.',
    content: `Most recipes for sourdough are written for somebody who is at home all day. This one is for everybody else: the dough does its work in the fridge while you do yours.\n\n## Monday, 20:00\n\nMix 450 g of bread flour, 50 g of rye, 350 g of water and 100 g of ripe starter. Leave it for half an hour, then work in 10 g of salt. Fold it twice before bed, at 20:45 and 21:30, and put it in the fridge.\n\n## Tuesday, 18:30\n\nHeat the oven with a lidded pot in it to 250 °C. Shape the cold dough straight into a floured basket; it needs forty minutes, as long as the pot. Bake 25 minutes with the lid and 20 without.\n\nThe crust sings when it cools. Wait an hour before you cut it, or at least try to.`,
    category: 'Bread',
    author: 'Ines Falk',
    tags: ['sourdough', 'beginner'],
    daysAgo: 2,
    key_takeaways: [
      'The fridge replaces the day at home',
      'Twenty minutes of work in all',
      'Shape the dough cold',
    ],
  },
  {
    title: 'What a starter really needs',
    excerpt: 'Flour, water, and less fuss than you have read. Two months of measurements.',
    content: `For two months I fed six jars of starter in six different ways and measured how high they rose. The differences were smaller than the differences between a warm day and a cold one.\n\n## What mattered\n\nTemperature came first: at 26 °C every jar doubled within five hours, at 18 °C none did within ten. The ratio came second. Fed 1:1:1, a starter peaks early and turns sour; fed 1:5:5, it keeps its strength through a night.\n\n## What did not\n\nTap water against bottled: no difference. Stirring with a metal spoon: no difference. Naming the jar: none that I could measure.`,
    category: 'Kitchen science',
    author: 'Tomás Riera',
    tags: ['sourdough', 'fermentation'],
    daysAgo: 6,
    faqs: [
      {
        question: 'Must I throw some away each time?',
        answer: 'No. Keep 20 g, feed only that, and bake with the rest.',
      },
      {
        question: 'How long does it last in the fridge?',
        answer: 'Three weeks without a feeding; then feed it twice before you bake.',
      },
    ],
  },
  {
    title: 'Lemons in salt',
    excerpt: 'Six lemons, a jar, and a month of doing nothing.',
    content: `Quarter six unwaxed lemons, but not quite through, so that they open like flowers. Pack the cuts with coarse salt, about 120 g in all, and press the lemons into a clean jar until their juice covers them. If it does not, add the juice of two more.\n\nTurn the jar every day for the first week. After a month the peel is soft enough to crush with a spoon. Rinse it, throw the flesh away, and use the peel: in a stew, in a salad of white beans, or chopped over grilled courgettes.`,
    category: 'Preserving',
    author: 'Ines Falk',
    tags: ['fermentation', 'winter', 'vegetarian'],
    daysAgo: 11,
  },
  {
    title: 'Why soup tastes better the next day',
    excerpt: 'It is not magic, and it is not only patience either.',
    content: `Three things happen overnight. Starch from potatoes and beans goes on swelling, so the soup is thicker. Water-soluble flavours move out of the pieces into the broth and from the broth into the pieces, until no spoonful is much stronger than another. And you come to it without having stood in its smell for two hours.\n\nThat last part is the largest. In a small blind tasting, people who had cooked could not tell the soup of today from that of yesterday. Those who had just walked in could.`,
    category: 'Kitchen science',
    author: 'Tomás Riera',
    tags: ['winter', 'beginner'],
    daysAgo: 16,
  },
  {
    title: 'A white bean soup with rosemary oil',
    excerpt: 'Dried beans, one onion, and an oil that takes four minutes.',
    content: `Soak 400 g of dried white beans overnight with a spoonful of salt. The next day, cover them with fresh water, add a halved onion, two cloves of garlic and a bay leaf, and let them simmer, never boil, until they are soft: an hour, or two if they are old.\n\nBlend a third of them and stir that back in. Warm 60 ml of olive oil with a sprig of rosemary until it smells, take it off the heat, and pour it over the bowls through a sieve.\n\nServe with bread that has seen better days, toasted.`,
    category: 'Soups',
    author: 'Ines Falk',
    tags: ['vegetarian', 'winter'],
    daysAgo: 21,
  },
  {
    title: 'Scales, thermometers, and what to leave in the shop',
    excerpt: 'Two tools change how you bake. The rest is storage space.',
    content: `Buy a scale that shows single grams and a thermometer with a thin probe. Together they cost less than one good pan, and they end most guessing: bread is done at 97 °C in the middle, custard sets at 82 °C, and a cup of flour is anything between 110 g and 160 g.\n\nLeave the bread machine, the proofing box and the spray bottle. An oven with its light on stays near 26 °C, and a tray of boiling water makes more steam than any bottle.`,
    category: 'Kitchen science',
    author: 'Tomás Riera',
    tags: ['equipment', 'beginner'],
    daysAgo: 27,
  },
  {
    title: 'Sauerkraut in a two-litre jar',
    excerpt: 'One cabbage, 2 % salt, three weeks.',
    content: `Weigh the shredded cabbage and take two per cent of that in salt: 20 g for a kilogram. Knead until it drips, then press it into the jar so that brine stands over it, and put a small glass filled with water on top as a weight.\n\nKeep it at room temperature with the lid loose. It bubbles for a week; taste it from the second week on, and move it to the fridge when you like it. A white film on the brine is harmless and can be skimmed. Anything pink or furry is not: start again.`,
    category: 'Preserving',
    author: 'Tomás Riera',
    tags: ['fermentation', 'beginner', 'vegetarian'],
    daysAgo: 34,
  },
  {
    title: 'Rye bread that keeps for two weeks',
    excerpt: 'Dense, dark, and better on the fourth day than on the first.',
    content: `Rye has little gluten to speak of; what holds the loaf together is starch and acid. So there is no kneading here, only mixing, and the starter does more than raise the dough: without its acid the crumb would turn to glue.\n\nMix 500 g of wholemeal rye, 450 g of warm water, 200 g of ripe rye starter, 11 g of salt and a spoonful of treacle. Scrape it into a buttered tin and wait until small holes show on top, two to three hours. Bake at 230 °C for fifteen minutes and at 180 °C for fifty more.\n\nWrap it in a cloth and leave it alone for a day.`,
    category: 'Bread',
    author: 'Ines Falk',
    tags: ['sourdough'],
    daysAgo: 41,
  },
  {
    title: 'A clear broth from what you would throw away',
    excerpt: 'Peels, stems and rinds, kept in the freezer until there are enough.',
    content: `Keep a bag in the freezer for onion skins, carrot ends, parsley stems, mushroom feet and the rind of hard cheese. No cabbage, no potatoes: the one turns sharp, the other cloudy.\n\nWhen the bag is full, brown half an onion in a dry pot until it is almost black, add the bag and three litres of cold water, and let it stand just below a simmer for an hour. Strain it without pressing. Salt it only when you know what it is for.`,
    category: 'Soups',
    author: 'Tomás Riera',
    tags: ['vegetarian', 'beginner'],
    daysAgo: 49,
  },
  {
    title: 'Quince jelly, slowly',
    excerpt: 'Hard, furry, sour fruit, and three days until it glows.',
    content: `Rub the fur off two kilograms of quinces, cut them up with cores and all, cover them with water and let them simmer for an hour. Leave them in the pot until the next day.\n\nLet the juice run through a cloth overnight; do not squeeze. Measure it, add 800 g of sugar and the juice of a lemon for each litre, and boil it hard until a drop on a cold plate wrinkles when you push it.\n\nIt goes from pale yellow to deep orange in the pot, and nobody quite agrees why.`,
    category: 'Preserving',
    author: 'Ines Falk',
    tags: ['winter', 'vegetarian'],
    daysAgo: 58,
  },
  {
    title: 'Flatbread in a dry pan',
    excerpt: 'Flour, yoghurt and ten minutes. No oven, no yeast.',
    content: `Stir 300 g of flour, 200 g of yoghurt, a teaspoon of baking powder and half of one of salt into a soft dough. Let it rest while the pan gets hot.\n\nRoll out six pieces, as thin as you can without a fight, and bake each for a minute and a half on either side in a dry pan, until brown spots show. Brush them with butter while they are hot, and keep them in a cloth.`,
    category: 'Bread',
    author: 'Ines Falk',
    tags: ['beginner', 'vegetarian'],
    daysAgo: 70,
  },
  {
    title: 'Notes on a tomato soup without tomatoes in season',
    excerpt: 'A draft: tins, paste, and what roasting does for both.',
    content: `Open questions: does roasting the tinned tomatoes earn its hour? How much of the taste is the paste, fried until it darkens? Try once with and once without the sugar that everybody adds.`,
    category: 'Soups',
    author: 'Tomás Riera',
    tags: ['winter'],
    daysAgo: null,
  },
];
