/** What `mdls` says of a file: text, numbers, lists of text. Truth values become 0 and 1, data is dropped. */
export function readPlist(xml: string): Record<string, string | number | string[]> {
  const values: Record<string, string | number | string[]> = {};
  const dict = /<dict>([\s\S]*)<\/dict>/.exec(xml)?.[1] ?? '';
  const entries =
    /<key>([^<]*)<\/key>\s*(?:<(string|integer|real|date)>([^<]*)<\/\2>|<(true|false)\/>|<array>([\s\S]*?)<\/array>)/g;
  for (const [, key = '', type, content = '', truth, list] of dict.matchAll(entries)) {
    const name = unescapeXml(key);
    if (!/^kMDItem\w+$/.test(name) || name === 'kMDItemTextContent') continue;
    const value =
      truth !== undefined ? Number(truth === 'true') : list !== undefined ? readList(list) : readScalar(type, content);
    if (value !== undefined) values[name] = value;
  }
  return values;
}

function readScalar(type: string | undefined, content: string): string | number | undefined {
  if (type === 'string' || type === 'date') return unescapeXml(content);
  const number = Number(content);
  return Number.isFinite(number) ? number : undefined;
}

/** A list with anything but texts in it is dropped whole. */
function readList(content: string): string[] | undefined {
  const items = [...content.matchAll(/<string>([^<]*)<\/string>/g)].map(([, item = '']) => unescapeXml(item));
  return content.replace(/<string>[^<]*<\/string>/g, '').trim() === '' ? items : undefined;
}

const named: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

function unescapeXml(text: string): string {
  return text.replace(
    /&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|(\w+));/gi,
    (whole, hex?: string, decimal?: string, name?: string) => {
      if (name !== undefined) return named[name.toLowerCase()] ?? whole;
      const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
      return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : '';
    },
  );
}
