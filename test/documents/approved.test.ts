import { expect, test } from 'vitest';
import { changedCompound, compoundSamples } from './approved/compound.ts';
import { limitSamples } from './approved/limits.ts';
import { changedMedia, listFrames, mediaSamples } from './approved/media.ts';
import { changedMarkup, changedOffice, officeSamples } from './approved/office.ts';
import { changedPdfs, pdfSamples } from './approved/pdf.ts';
import { extract, listChanges, listLengths, listSamples } from './approved/sample.ts';
import { listAllCuts, listShortRecords, listStreamChanges } from './approved/streams.ts';
import { listCellDates, listCidEncodings, listFileTypes, listReferences, listSniffed } from './approved/tables.ts';
import { changedText, textSamples } from './approved/text.ts';

test.each([
  ['media', mediaSamples],
  ['office', officeSamples],
  ['compound', compoundSamples],
  ['text', textSamples],
  ['PDF', pdfSamples],
])('extractText and extractMetadata return the approved text and metadata of %s files', async (name, samples) => {
  await expect(listSamples(samples)).toMatchFileSnapshot(`approved/${name.toLowerCase()}.txt`);
});

const nodeMajor = Number.parseInt(process.versions.node, 10);

test.for([
  ['media', changedMedia],
  ['office', [...changedOffice, ...changedMarkup]],
  ['compound', changedCompound],
  ['text', changedText],
  ['PDF', changedPdfs],
] as const)(
  'extractText and extractMetadata return the approved results for %s files with one changed byte',
  async ([name, samples], { skip }) => {
    skip(name === 'text' && nodeMajor > 22, 'this Node decodes invalid bytes of East Asian encodings differently');
    await expect(samples.map(each => listChanges(each)).join('\n')).toMatchFileSnapshot(
      `approved/${name.toLowerCase()}-changes.txt`,
    );
  },
);

test('extractMetadata returns the approved metadata for each header of an MP3 frame', async () => {
  const list = listFrames(content => extract({ extension: 'mp3', content }));
  await expect(list).toMatchFileSnapshot('approved/mp3-frames.txt');
});

test.each([
  ['file types by extension', 'file-types', listFileTypes],
  ['extensions found by content', 'sniffed', listSniffed],
  ['dates of cells', 'cell-dates', listCellDates],
  ['predefined encodings of PDF fonts', 'cid-encodings', listCidEncodings],
  ['character references', 'references', listReferences],
  ['texts of workbooks with short records', 'short-records', listShortRecords],
  ['results for shortened streams and media files', 'cuts', listAllCuts],
  ['results for streams with one changed byte', 'stream-changes', listStreamChanges],
])('the %s equal the approved list', async (_, file, list) => {
  await expect(list()).toMatchFileSnapshot(`approved/${file}.txt`);
});

test('extractText and extractMetadata return the approved results for files on both sides of each limit', async () => {
  await expect(listLengths(limitSamples)).toMatchFileSnapshot('approved/limits.txt');
});
