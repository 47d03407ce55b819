// This module reads the formulas and scripts of a text from its marks.
import { formulaPart, mark, optionalPart, plain } from './marks.mjs';

/**
 * Joins adjacent formulas ('joined'), separates them ('apart'), or also joins those that a space separates ('merged'),
 * because the output may do any of these. The same applies to code.
 */
export function withJoins(reading, how) {
  const join = text =>
    text.replace(joined, (_, command, letter) => `${command}${command !== '' && letter !== '' ? ' ' : ''}${letter}`);
  const changes = {
    joined: join,
    apart: text => text.replaceAll(mark.join, blankBetween),
    merged: text => join(text.replaceAll(blankBetween, mark.join)),
  };
  const change = changes[how];
  const ofText = row => ({ ...row, text: change(row.text) });
  return {
    ...reading,
    lines: reading.lines.map(change),
    codes: reading.codes.flatMap(code =>
      (how === 'apart' ? code.text.split(mark.join) : [code.text.replaceAll(mark.join, ' ')]).map(text => ({
        ...code,
        text,
      })),
    ),
    items: reading.items.map(ofText),
    tables: reading.tables.map(rows => rows.map(cells => cells.map(ofText))),
    links: reading.links.map(change),
    headings: reading.headings.map(change),
    names: new Set([...reading.names].map(change)),
  };
}

const blankBetween = `${mark.formulaClose} ${mark.formulaOpen}`;

/** A space after a TeX command is kept. */
const joined = new RegExp(`((?:\\\\[a-zA-Z]+)?)${mark.join}([a-zA-Z]?)`, 'g');

export function formulasOf(lines) {
  return lines.flatMap(line =>
    [...line.replace(optionalPart, '').matchAll(formulaPart)].map(([formula]) => formula.slice(1, -1)),
  );
}

/** Returns the superscripts and subscripts in the order of their ends, each with the word before it: `10^{5}`. */
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
