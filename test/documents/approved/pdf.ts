import { compositeFonts } from './pdf-composite-fonts.ts';
import { filters } from './pdf-filters.ts';
import { simpleFonts } from './pdf-fonts.ts';
import { layoutSamples } from './pdf-layout.ts';
import { structure } from './pdf-structure.ts';
import type { Sample } from './sample.ts';

export const pdfSamples: readonly Sample[] = [
  ...layoutSamples,
  ...simpleFonts,
  ...compositeFonts,
  ...filters,
  ...structure,
];

const find = (name: string): Sample[] => pdfSamples.filter(each => each.name === name);

export const changedPdfs: readonly Sample[] = [
  'state of the text',
  'values',
  'a map to Unicode',
  'an embedded encoding',
  'objects in streams',
  'the predictor /Predictor 12 /Columns 4',
  'ASCII 85',
  'annotations',
  'encrypted: AES, 128 bits',
].flatMap(find);
