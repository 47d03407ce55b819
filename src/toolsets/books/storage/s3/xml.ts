const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/**
 * Returns the text of the first XML element with this name. A simple search is sufficient, because responses of object
 * stores are flat and have no relevant attributes.
 */
export function findFirstElementText(xml: string, name: string, from = 0): string | undefined {
  const inside = insideOf(xml, name, from);
  return inside && decoded(inside.text);
}

export function* findElementContents(xml: string, name: string): Generator<string> {
  for (let at = 0; ; ) {
    const inside = insideOf(xml, name, at);
    if (inside === undefined) return;
    yield inside.text;
    at = inside.end;
  }
}

function insideOf(xml: string, name: string, from: number): { text: string; end: number } | undefined {
  const open = `<${name}`;
  let start = xml.indexOf(open, from);
  while (start !== -1 && !/[\s>/]/.test(xml[start + open.length] ?? '')) start = xml.indexOf(open, start + 1);
  if (start === -1) return undefined;
  const begin = xml.indexOf('>', start) + 1;
  if (begin === 0) return undefined;
  if (xml[begin - 2] === '/') return { text: '', end: begin };
  const end = xml.indexOf(`</${name}>`, begin);
  return end === -1 ? undefined : { text: xml.slice(begin, end), end };
}

function decoded(text: string): string {
  return text.replace(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|(\w{1,6}));/gi, (whole, decimal, hex, name) => {
    if (typeof name === 'string') return entities[name] ?? whole;
    const code = typeof hex === 'string' ? Number.parseInt(hex, 16) : Number(decimal);
    // A character reference to a surrogate is not a character. In the URL of the next request, it would cause an error.
    return code <= 0x10ffff && (code < 0xd800 || code > 0xdfff) ? String.fromCodePoint(code) : whole;
  });
}

export function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
