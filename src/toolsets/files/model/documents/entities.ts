const latin =
  'nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml';
const greek =
  'Alpha Beta Gamma Delta Epsilon Zeta Eta Theta Iota Kappa Lambda Mu Nu Xi Omicron Pi Rho  Sigma Tau Upsilon Phi Chi Psi Omega';
const others =
  'amp & lt < gt > quot " apos \' mdash — ndash – hellip … rsquo ’ lsquo ‘ rdquo ” ldquo “ sbquo ‚ bdquo „ euro € trade ™ bull • minus − prime ′ Prime ″ larr ← rarr → uarr ↑ darr ↓ harr ↔ le ≤ ge ≥ ne ≠ asymp ≈ infin ∞ sum ∑ prod ∏ radic √ part ∂ int ∫ isin ∈ cap ∩ cup ∪ sub ⊂ sup ⊃ and ∧ or ∨ forall ∀ exist ∃ empty ∅ nabla ∇ lsaquo ‹ rsaquo › OElig Œ oelig œ Scaron Š scaron š Yuml Ÿ dagger † Dagger ‡ permil ‰ sigmaf ς hyphen ‐ dash ‐ check ✓';
/** Signs of ASCII that the list of HTML 5 has names for. */
const plain =
  'excl ! num # dollar $ percnt % lpar ( rpar ) ast * midast * plus + comma , period . sol / colon : semi ; equals = quest ? commat @ lsqb [ lbrack [ bsol \\ rsqb ] rbrack ] Hat ^ lowbar _ grave ` lcub { lbrace { verbar | vert | rcub } rbrace }';

/** The named characters of HTML 4, and the carons and other marks of later lists, see `marked`. */
const named: ReadonlyMap<string, string> = createNamed();

function createNamed(): Map<string, string> {
  const names = new Map<string, string>();
  latin.split(' ').forEach((name, index) => names.set(name, String.fromCharCode(0xa0 + index)));
  greek.split(' ').forEach((name, index) => {
    names.set(name, String.fromCharCode(0x391 + index)).set(name.toLowerCase(), String.fromCharCode(0x3b1 + index));
  });
  const pairs = `${others} ${plain}`.split(' ');
  for (let index = 0; index < pairs.length; index += 2) names.set(pairs[index] ?? '', pairs[index + 1] ?? '');
  for (const [name, code] of [
    ['thinsp', 0x2009],
    ['ensp', 0x2002],
    ['emsp', 0x2003],
    ['zwnj', 0x200c],
    ['zwj', 0x200d],
    ['Tab', 0x09],
    ['NewLine', 0x0a],
  ] as const)
    names.set(name, String.fromCharCode(code));
  return names;
}

/** These browsers know without a semicolon too, and whatever letters follow. */
const old: ReadonlySet<string> = new Set([...latin.split(' '), 'amp', 'lt', 'gt', 'quot']);
const maxOldLength = 6;

function unescapeOld(written: string): string {
  for (let end = Math.min(written.length, 1 + maxOldLength); end > 2; end--) {
    const name = written.slice(1, end);
    if (old.has(name)) return `${named.get(name) ?? ''}${written.slice(end)}`;
  }
  return written;
}

/** Letters with marks lose them anyway when texts are compared. */
const marked = /^([A-Za-z])(?:acute|grave|circ|uml|tilde|ring|cedil|caron|ogon|macr|breve|dot|dblac)$/;

/** What numbers 128 to 159 stand for in pages, whatever the standard says. */
const windowsControls = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';

export function unescapeMarkup(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(
    /&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|(\w{1,12}));?/gi,
    (whole, hex?: string, decimal?: string, name?: string) => {
      if (name !== undefined)
        return whole.endsWith(';')
          ? (named.get(name) ?? marked.exec(name)?.[1] ?? unescapeOld(whole))
          : unescapeOld(whole);
      const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
      if (code >= 0x80 && code < 0xa0) return windowsControls.charAt(code - 0x80);
      return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : '';
    },
  );
}
