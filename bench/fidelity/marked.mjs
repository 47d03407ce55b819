// What the marks in a text say: its formulas and its scripts.
import { formulaPart, mark, optionalPart, plain } from './marks.mjs';

/** Formulas side by side as one, or with a blank between them. */
export function withJoins(reading, isOne) {
  const change = text =>
    isOne
      ? text.replace(joined, (_, command, letter) => `${command}${command !== '' && letter !== '' ? ' ' : ''}${letter}`)
      : text.replaceAll(mark.join, `${mark.formulaClose} ${mark.formulaOpen}`);
  const ofText = row => ({ ...row, text: change(row.text) });
  return {
    ...reading,
    lines: reading.lines.map(change),
    codes: reading.codes.flatMap(code =>
      (isOne ? [code.text.replaceAll(mark.join, ' ')] : code.text.split(mark.join)).map(text => ({ ...code, text })),
    ),
    items: reading.items.map(ofText),
    tables: reading.tables.map(rows => rows.map(cells => cells.map(ofText))),
    links: reading.links.map(change),
    headings: reading.headings.map(change),
    names: new Set([...reading.names].map(change)),
  };
}

/** A command keeps its end. */
const joined = new RegExp(`((?:\\\\[a-zA-Z]+)?)${mark.join}([a-zA-Z]?)`, 'g');

export function formulasOf(lines) {
  return lines.flatMap(line =>
    [...line.replace(optionalPart, '').matchAll(formulaPart)].map(([formula]) => formula.slice(1, -1)),
  );
}

/** Scripts in the order of their ends, with the word they stand on: `10^{5}`. */
export function scriptsOf(lines) {
  const scripts = [];
  for (const line of lines) {
    const text = line.replace(optionalPart, '').replace(formulaPart, ' ');
    const open = [];
    for (let at = 0; at < text.length; at++) {
      if (isOpening(text[at])) open.push(at);
      if (text[at] !== mark.scriptClose || open.length === 0) continue;
      const start = open.pop();
      const base = /[\p{L}\p{N}\p{M}]*$/u.exec(text.slice(Math.max(0, start - 40), start))[0];
      scripts.push({
        text: plain(`${base}${text.slice(start, at + 1)}`),
        isSure: text[start] === mark.superOpen || text[start] === mark.subOpen,
      });
    }
  }
  return scripts;
}

function isOpening(sign) {
  return sign === mark.superOpen || sign === mark.subOpen || sign === mark.superWritten || sign === mark.subWritten;
}
