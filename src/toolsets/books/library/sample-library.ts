import { createDemoFolder } from '../../../toolset/sample-folder.ts';

const lessons: Readonly<Record<string, string>> = {
  'content/README.md': '# A Small Book of Bread\n\nTwo parts: what you need to know, and what you do.\n',
  'content/01-Basics/README.md': '# Basics\n\nFour things make a loaf: flour, water, salt and time.\n',
  'content/01-Basics/01-Flour/README.md': '# Flour\n\nWhat is in the bag and what it does.\n',
  'content/01-Basics/01-Flour/01-grain.md':
    '# From grain to flour\n\nA grain has a shell, a germ and a white core. White flour is the core alone;\nwhole grain flour is all of it.\n\nMore shell means more taste, more water and less rise.\n',
  'content/01-Basics/01-Flour/01-grain.summary.md':
    'White flour is the core of the grain, whole grain flour all of it.\n',
  'content/01-Basics/01-Flour/02-gluten.md':
    '# Gluten\n\nKneading and resting turn flour and water into a net that holds the gas.\n\nTODO: a picture of the window test.\n',
  'content/01-Basics/02-Water/01-hydration.md':
    '# Hydration\n\nHydration is the water as a share of the flour: 700 g of water on 1000 g of flour\nis 70 %. Bakers count everything against the flour.\n',
  'content/02-Practice/01-First-Loaf/01-mixing.md':
    '# Mixing\n\n500 g flour, 350 g water, 10 g salt, 3 g dry yeast. Stir until no flour is dry.\nWait 30 minutes, then fold the dough twice.\n',
  'content/02-Practice/01-First-Loaf/02-baking.md':
    '# Baking\n\nHeat the pot to 240 °C. Bake 25 minutes with the lid and 20 without.\n\nTODO: tell how to hear that a loaf is done.\n',
  'content/02-Practice/01-First-Loaf/notes.md':
    '# Notes\n\nThis name has no number, so validate_book has something to say.\n',
  'users/ada/content/02-Practice/01-First-Loaf/01-mixing.md':
    '# Mixing, for Ada\n\nAda bakes with rye: 400 g wheat, 100 g rye, 370 g water. The rest as in the book.\n',
};

/** The PNG file of one pixel in the sample book, in base64. */
const picture = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNYECz9HwAERQIXx4hKJQAAAABJRU5ErkJggg==';

/** Creates a temporary library with one small book, which is deleted at exit. */
export function createSampleLibrary(): string {
  const files = Object.entries({ ...lessons, 'static/img/crust.png': Buffer.from(picture, 'base64') });
  return createDemoFolder(files.map(([name, content]) => ({ name: `books/bread-basics/${name}`, content })));
}
