import path from 'node:path';
import { isBinaryContent } from './encoding/decode.ts';

/** A client can limit a search to one of these kinds of files. */
export const fileKinds = ['document', 'image', 'video', 'audio', 'pdf', 'code'] as const;
export type FileKind = (typeof fileKinds)[number];

/** The format decides which function extracts the text of a file. No function exists for `unsupported` documents. */
export type FileFormat = 'plain' | 'html' | 'rtf' | 'mail' | 'card' | 'office' | 'pdf' | 'unsupported' | 'none';

/** The type of a file, described by Apple's uniform type identifiers. */
export interface FileType {
  identifier: string;
  /** Contains the type identifier and the more general types to which it conforms. The most general type is last. */
  tree: readonly string[];
  kinds: readonly FileKind[];
  format: FileFormat;
  /** The description of the type. Spotlight calls this attribute `kMDItemKind`. */
  label: string;
}

export type FileTypeTable = ReadonlyMap<string, FileType>;

const root = ['public.data', 'public.item', 'public.content'];

interface Family {
  tree: readonly string[];
  kinds: readonly FileKind[];
  format: FileFormat;
  noun: string;
}

const text = ['public.text', ...root];
const composite = ['public.composite-content', ...root];
const audiovisual = ['public.audiovisual-content', ...root];

const families = {
  text: { tree: text, kinds: ['document'], format: 'plain', noun: 'text document' },
  page: { tree: text, kinds: ['document'], format: 'html', noun: 'document' },
  rich: { tree: text, kinds: ['document'], format: 'rtf', noun: 'document' },
  mail: { tree: text, kinds: ['document'], format: 'mail', noun: 'message' },
  card: { tree: text, kinds: ['document'], format: 'card', noun: 'text document' },
  office: { tree: composite, kinds: ['document'], format: 'office', noun: 'document' },
  unsupported: { tree: composite, kinds: ['document'], format: 'unsupported', noun: 'document' },
  pdf: { tree: composite, kinds: ['document', 'pdf'], format: 'pdf', noun: 'document' },
  code: {
    tree: ['public.source-code', 'public.plain-text', ...text],
    kinds: ['code'],
    format: 'plain',
    noun: 'source',
  },
  image: { tree: ['public.image', ...root], kinds: ['image'], format: 'none', noun: 'image' },
  drawing: { tree: ['public.image', ...text], kinds: ['image'], format: 'html', noun: 'image' },
  audio: { tree: ['public.audio', ...audiovisual], kinds: ['audio'], format: 'none', noun: 'audio' },
  video: { tree: ['public.movie', ...audiovisual], kinds: ['video'], format: 'none', noun: 'movie' },
  // The extensions ts and mts mean TypeScript or MPEG transport stream. The content decides, and no text is extracted
  // from a binary file.
  recording: { tree: ['public.movie', ...audiovisual], kinds: ['video'], format: 'plain', noun: 'movie' },
  encrypted: { tree: root, kinds: [], format: 'unsupported', noun: 'file' },
  other: { tree: root, kinds: [], format: 'none', noun: 'file' },
} as const satisfies Record<string, Family>;

/** Each line has the format `extension[,extension…]=identifier`. The default identifier is `public.data`. */
const table: Readonly<Record<keyof typeof families, string>> = {
  text: `txt,text=public.plain-text md,markdown=net.daringfireball.markdown rst,adoc,org,srt=public.plain-text
    tex=org.tug.tex log=com.apple.log rtfd=com.apple.rtfd
    xml=public.xml json=public.json yaml,yml=public.yaml toml=public.toml css=public.css
    csv=public.comma-separated-values-text tsv=public.tab-separated-values-text`,
  page: 'html,htm=public.html xhtml,xht=public.xhtml',
  rich: 'rtf=public.rtf',
  mail: 'eml,emlx=com.apple.mail.email mbox=com.apple.mail.mbox mht,mhtml=public.html',
  card: 'ics=com.apple.ical.ics vcf=public.vcard',
  office: `docx=org.openxmlformats.wordprocessingml.document dotx=org.openxmlformats.wordprocessingml.template
    docm=org.openxmlformats.wordprocessingml.document.macroenabled
    dotm=org.openxmlformats.wordprocessingml.template.macroenabled
    xlsx=org.openxmlformats.spreadsheetml.sheet xltx=org.openxmlformats.spreadsheetml.template
    xlsm=org.openxmlformats.spreadsheetml.sheet.macroenabled
    xltm=org.openxmlformats.spreadsheetml.template.macroenabled
    pptx=org.openxmlformats.presentationml.presentation potx=org.openxmlformats.presentationml.template
    ppsx=org.openxmlformats.presentationml.slideshow pptm=org.openxmlformats.presentationml.presentation.macroenabled
    ppsm=org.openxmlformats.presentationml.slideshow.macroenabled
    potm=org.openxmlformats.presentationml.template.macroenabled
    odt,fodt,odm=org.oasis-open.opendocument.text ott=org.oasis-open.opendocument.text-template
    ods,fods=org.oasis-open.opendocument.spreadsheet ots=org.oasis-open.opendocument.spreadsheet-template
    odp,fodp=org.oasis-open.opendocument.presentation otp=org.oasis-open.opendocument.presentation-template
    odg,fodg=org.oasis-open.opendocument.graphics otg=org.oasis-open.opendocument.graphics-template
    odf=org.oasis-open.opendocument.formula sxw,sxc,sxi,stw,stc,sti epub=org.idpf.epub-container
    doc,dot=com.microsoft.word.doc xls,xlt=com.microsoft.excel.xls ppt,pps,pot=com.microsoft.powerpoint.ppt
    msg=com.microsoft.outlook16.email.message`,
  unsupported: `pages=com.apple.iwork.pages.sffpages numbers=com.apple.iwork.numbers.sffnumbers
    key=com.apple.iwork.keynote.sffkey wpd=com.corel.wordperfect.doc mobi,azw,azw3=com.amazon.mobi-ebook xlsb=com.microsoft.excel.sheet.binary.macroenabled
    pub,one,vsd,vsdx,wps,hwp,hwpx,djvu
    ps=com.adobe.postscript xps,oxps,chm,lit,prc,wri,pst,dvi,gnumeric,zabw`,
  pdf: 'pdf=com.adobe.pdf',
  code: `swift=public.swift-source c=public.c-source h=public.c-header m=public.objective-c-source
    mm=public.objective-c-plus-plus-source cpp,cc,cxx=public.c-plus-plus-source hpp,hh=public.c-plus-plus-header
    java=com.sun.java-source js,mjs,cjs=com.netscape.javascript-source jsx=com.netscape.javascript-source
    py=public.python-script rb=public.ruby-script pl,pm=public.perl-script php=public.php-script
    sh=public.shell-script bash=public.bash-script zsh=public.zsh-script command=com.apple.terminal.shell-script
    applescript=com.apple.applescript.text s,asm=public.assembly-source f,f77,f90,f95=public.fortran-source
    pas=public.pascal-source ts,cts,tsx=com.microsoft.typescript go=org.golang.go-source rs=org.rust-lang.rust-source
    kt,kts=org.kotlinlang.source cs=com.microsoft.csharp-source lua=org.lua.lua sql=org.iso.sql
    scala=org.scala-lang.scala vue=com.vuejs.vue cob,cbl,cpy`,
  image: `png=public.png jpg,jpeg=public.jpeg gif=com.compuserve.gif tiff,tif=public.tiff bmp=com.microsoft.bmp
    heic=public.heic heif=public.heif avif=public.avif webp=org.webmproject.webp ico=com.microsoft.ico
    icns=com.apple.icns psd=com.adobe.photoshop-image dng=com.adobe.raw-image cr2=com.canon.cr2-raw-image
    nef=com.nikon.raw-image arw=com.sony.arw-raw-image exr=com.ilm.openexr-image`,
  drawing: 'svg=public.svg-image',
  audio: `mp3=public.mp3 m4a=com.apple.m4a-audio aac=public.aac-audio wav=com.microsoft.waveform-audio
    aif,aiff=public.aiff-audio caf=com.apple.coreaudio-format flac=org.xiph.flac mid,midi=public.midi-audio
    ogg,oga=org.xiph.ogg-audio opus=org.xiph.opus wma=com.microsoft.windows-media-wma`,
  video: `mp4=public.mpeg-4 m4v=com.apple.m4v-video mov=com.apple.quicktime-movie avi=public.avi mpg,mpeg=public.mpeg
    m2ts=public.mpeg-2-transport-stream 3gp=public.3gpp mkv=org.matroska.mkv webm=org.webmproject.webm
    ogv=org.xiph.ogg-video wmv=com.microsoft.windows-media-wmv flv=com.adobe.flash.video`,
  recording: 'mts=public.mpeg-2-transport-stream',
  encrypted: 'gpg,pgp,age,p7m,kdbx',
  other: `zip=public.zip-archive gz,tgz=org.gnu.gnu-zip-archive bz2=public.bzip2-archive xz=org.tukaani.xz-archive
    7z=org.7-zip.7-zip-archive rar=com.rarlab.rar-archive tar=public.tar-archive jar=com.sun.java-archive
    dmg=com.apple.disk-image-udif iso=public.iso-image o=public.object-code a=public.archive.ar
    so,dylib=com.apple.mach-o-dylib exe,dll=com.microsoft.windows-executable class=com.sun.java-class
    pyc,wasm,deb,rpm=public.data ttf=public.truetype-ttf-font otf=public.opentype-font woff,woff2=org.w3.woff`,
};

/** Creates the table of file types by lower-case extension. The first use creates it, to keep the start fast. */
export function createFileTypeTable(): FileTypeTable {
  const types = new Map<string, FileType>();
  for (const [name, rows] of Object.entries(table)) {
    const family = Object.entries(families).find(([key]) => key === name)?.[1];
    if (family === undefined) continue;
    for (const row of rows.trim().split(/\s+/)) {
      const [extensions = '', identifier = 'public.data'] = row.split('=');
      for (const extension of extensions.split(',')) types.set(extension, createType(identifier, family, extension));
    }
  }
  return types;
}

function createType(identifier: string, family: Family, extension: string): FileType {
  return {
    identifier,
    tree: [identifier, ...family.tree.filter(other => other !== identifier)],
    kinds: family.kinds,
    format: family.format,
    label: `${extension.toUpperCase()} ${family.noun}`,
  };
}

/** The type of a file without a known extension. Only the content can tell more about it. */
export const unknownFileType: FileType = {
  identifier: 'public.data',
  tree: ['public.data', 'public.item'],
  kinds: [],
  format: 'plain',
  label: 'File',
};

export const fileTypeOfFolders: FileType = {
  identifier: 'public.folder',
  tree: ['public.folder', 'public.directory', 'public.item'],
  kinds: [],
  format: 'none',
  label: 'Folder',
};

/**
 * Returns the extension of a name or path in lower case. A name such as `.profile`, with its only dot at the start, has
 * no extension.
 */
export function extensionOf(file: string): string {
  const name = file.slice(file.lastIndexOf(path.sep) + 1);
  const dot = name.lastIndexOf('.');
  return dot <= 0 ? '' : name.slice(dot + 1).toLowerCase();
}

export function fileTypeOfName(types: FileTypeTable, name: string): FileType {
  return types.get(extensionOf(name)) ?? unknownFileType;
}

/**
 * Returns true if the file type cannot be known without the content: for names without an extension, and for `.ts` and
 * `.mts`, which are code or video.
 */
export function isFileTypeUncertain(name: string): boolean {
  const extension = extensionOf(name);
  return extension === '' || (isStreamOrCode(extension) && !/\.d\.ts$/i.test(name));
}

/** Returns whether a file with this name can be of this kind. The content may exclude it later. */
export function mayBeOfFileKind(name: string, wanted: FileKind): boolean {
  if (!isFileTypeUncertain(name)) return false;
  return extensionOf(name) === '' || wanted === 'code' || wanted === 'video';
}

function isStreamOrCode(extension: string): boolean {
  return extension === 'ts' || extension === 'mts';
}

/** The number of bytes that `sniffExtension` needs from the start of a file. */
export const maxSniffedBytes = 8192;

/** Returns the extension that fits the first bytes of a file, or an empty string. */
export function sniffExtension(name: string, head: Buffer): string {
  const extension = extensionOf(name);
  if (isStreamOrCode(extension)) {
    if (isTransportStream(head)) return 'm2ts';
    return head.length === 0 || isBinaryContent(head) ? extension : 'ts';
  }
  if (extension !== '') return extension;
  const found = marks.find(([offset, mark]) =>
    head.subarray(offset, offset + mark.length).equals(Buffer.from(mark, 'latin1')),
  );
  if (found !== undefined) return found[2];
  if (head.length === 0 || isBinaryContent(head)) return '';
  if (mailBox.test(head.toString('latin1', 0, 400))) return 'mbox';
  return head.toString('latin1', 0, 2) === '#!' ? 'sh' : 'txt';
}

/** Matches the first line of a mailbox and its first header. Mail programs store mailboxes without an extension. */
const mailBox = /^From \S.*\d\d:\d\d:\d\d .*\r?\n[A-Za-z][\w-]*: /;

const marks: readonly (readonly [offset: number, mark: string, extension: string])[] = [
  [0, '%PDF-', 'pdf'],
  [0, '\x89PNG\r\n\x1a\n', 'png'],
  [0, '\xff\xd8\xff', 'jpg'],
  [0, 'GIF87a', 'gif'],
  [0, 'GIF89a', 'gif'],
  [8, 'WEBP', 'webp'],
  [8, 'WAVE', 'wav'],
  [0, 'ID3', 'mp3'],
  [0, 'fLaC', 'flac'],
  [0, 'OggS', 'ogg'],
  [4, 'ftypM4A', 'm4a'],
  [4, 'ftyp', 'mp4'],
  [0, 'PK\x03\x04', 'zip'],
];

/**
 * Returns whether the bytes are an MPEG-2 transport stream, because each of its packets starts with 0x47. In files of
 * cameras a timestamp of four bytes precedes each packet.
 */
function isTransportStream(head: Buffer): boolean {
  return hasPackets(head, 0, 188) || hasPackets(head, 4, 192);
}

function hasPackets(head: Buffer, first: number, length: number): boolean {
  // Two packets are required, because a text can start with 0x47, the letter G, but rarely contains it at both offsets.
  if (head.length < 2 * length) return false;
  for (let at = first; at < head.length; at += length) if (head[at] !== 0x47) return false;
  return true;
}
