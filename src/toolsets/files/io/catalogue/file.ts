import {
  type FileType,
  isNameUnsure,
  type Kind,
  mayBeOfKind,
  type Reading,
  typeByName,
} from '../../model/file-type.ts';
import { typeOf } from '../inspect.ts';
import type { ReaderAnswer, Status } from '../threads/messages.ts';
import { statFields, statuses } from '../threads/messages.ts';
import { content, type File, isInPlace } from './folder.ts';
import type { Tree } from './tree.ts';

/** Whether it has a text that somebody can get at. */
export function isReadable(tree: Tree, name: string): boolean {
  return readingOf(tree, name) !== 'none';
}

export function readingOf(tree: Tree, name: string): Reading {
  return typeByName(tree.types, name).reading;
}

/** By its name alone: whether it may be of that kind once its bytes have their say. */
export function mayBe(tree: Tree, name: string, wanted: Kind): boolean {
  return typeByName(tree.types, name).kinds.includes(wanted) || mayBeOfKind(name, wanted);
}

/** Its type by name and bytes; bytes are looked at once for each state of the file. */
export function trueType(tree: Tree, { folder, index, path }: File, scope: string): FileType {
  if (!isNameUnsure(path)) return typeByName(tree.types, path);
  const known = folder.type(index);
  if (known > 0) return tree.typeNumbers.at(known - 1) ?? typeByName(tree.types, path);
  const type = typeOf(path, scope, tree.types);
  const number = tree.typeNumbers.indexOf(type);
  folder.setType(index, number + 1);
  return type;
}

/** Takes over what a reader says of one file. `wallClockMs` is the time at which it was asked. */
export function learn(tree: Tree, file: File, answer: ReaderAnswer, place: Place, wallClockMs: number): Status {
  const { folder, index } = file;
  const status = statuses[answer.statuses[place.index] ?? 0] ?? 'gone';
  if (!isInPlace(file)) return status;
  const at = place.index * statFields;
  const [mtimeMs = 0, ctimeMs = 0, size = 0, ino = 0] = answer.stats.subarray(at, at + statFields);
  if (ctimeMs === 0 && ino === 0) {
    if (status === 'unreadable') folder.setContent(index, content.unreadable, tree.signatures);
    else if (status === 'read' && folder.content(index) === content.unknown)
      folder.setContent(index, content.read, tree.signatures);
    return status;
  }
  const stat = { mtimeMs, ctimeMs, size, ino };
  file.mtimeMs = mtimeMs;
  const { signatures } = tree;
  folder.setStat(index, stat, signatures);
  if (wallClockMs - ctimeMs < settledMs) return status;
  const length = answer.signatureLengths[place.index] ?? 0;
  if (length > 0 && !signatures.isFull) {
    const signature = answer.signatures.subarray(place.signature, place.signature + length);
    folder.setContent(index, signatures.add(signature), signatures);
  } else if (status === 'binary' || status === 'tooLarge' || status === 'unparsed')
    folder.setContent(index, content[status], signatures);
  else if (folder.content(index) === content.unknown) folder.setContent(index, content.read, signatures);
  const textLength = answer.textLengths[place.index] ?? 0;
  // A copy: the rest of the answer is not to be kept.
  if (textLength > 0)
    tree.texts.keep(file.path, { stat, bytes: answer.texts.slice(place.text, place.text + textLength) });
  return status;
}

/** File times are coarse: a file this young may be written again without its times showing it. */
const settledMs = 2100;

/** Where in an answer stands what it says of one file. */
export interface Place {
  index: number;
  signature: number;
  text: number;
}

/** Goes through the files an answer speaks of. */
export function eachAnswered(answer: ReaderAnswer, visit: (place: Place) => void): void {
  const place: Place = { index: 0, signature: 0, text: 0 };
  for (; place.index < answer.done; place.index++) {
    visit(place);
    place.signature += answer.signatureLengths[place.index] ?? 0;
    place.text += answer.textLengths[place.index] ?? 0;
  }
}

/** Notes of a document that takes long that it comes behind the others. */
export function putOff(tree: Tree, file: File): void {
  mark(tree, file, content.slow);
}

/** Notes of a document that took too long that it is not to be tried again until it changes. */
export function giveUp(tree: Tree, file: File): void {
  mark(tree, file, content.unparsed);
}

function mark({ signatures }: Tree, file: File, known: number): void {
  if (!isInPlace(file)) return;
  const { folder, index } = file;
  folder.look(index, signatures);
  if (folder.content(index) !== content.gone) folder.setContent(index, known, signatures);
}
