const BLOCK_NAMES =
  'address article aside blockquote body center dd details dir div dl dt fieldset figcaption figure footer form ' +
  'frameset h1 h2 h3 h4 h5 h6 header hgroup hr html legend li listing main menu nav ol optgroup p plaintext pre ' +
  'search section summary table tbody td textarea tfoot th thead tr ul xmp caption';
const INLINE_NAMES =
  'dialog head html a abbr acronym b basefont bdi bdo big br cite code data del dfn em font i img image input ins kbd label map mark ' +
  'math meter nobr noscript object option output picture progress q rp rt ruby s samp select small source span ' +
  'strike strong sub sup svg time tt u var wbr mjx-container';
const UNSEEN_NAMES =
  'applet area audio base canvas clippath col colgroup command datalist defs desc embed frame iframe ' +
  'keygen link marker mask meta metadata noembed noframes noscript param pattern script style symbol ' +
  'template title track video';

export const BLOCK_ELEMENTS: ReadonlySet<string> = new Set(BLOCK_NAMES.split(' '));

/** Elements whose content a browser with scripting does not paint. */
export const UNSEEN_ELEMENTS: ReadonlySet<string> = new Set(UNSEEN_NAMES.split(' '));

export const HTML_ELEMENTS: ReadonlySet<string> = new Set(`${BLOCK_NAMES} ${INLINE_NAMES} ${UNSEEN_NAMES}`.split(' '));

export const VOID_ELEMENTS: ReadonlySet<string> = new Set(
  'area base basefont br col command embed frame hr img image input keygen link meta param source track wbr'.split(' '),
);

/** Elements whose content is text up to their end tag, whatever it looks like. */
export const RAW_TEXT_ELEMENTS: ReadonlySet<string> = new Set(
  'iframe noembed noframes plaintext script style textarea title xmp'.split(' '),
);
