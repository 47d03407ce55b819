import type { FileKind } from '../../../documents/file-type.ts';
import { foldCaseAndAccents } from './fold.ts';

/**
 * A word of a query that means a kind of file, such as "photos". The contents of the file need not contain this word.
 */
export interface FileKindWord {
  /** The value of the argument `kind` with the meaning of the word, if there is one. */
  kind?: FileKind;
  extensions?: readonly string[];
}

const sheet: FileKindWord = { extensions: ['xlsx', 'xlsm', 'xls', 'ods', 'csv', 'tsv', 'numbers'] };
const slides: FileKindWord = { extensions: ['pptx', 'ppt', 'odp', 'key', 'ppsx'] };
const mail: FileKindWord = { extensions: ['eml', 'emlx', 'mbox', 'msg'] };
const book: FileKindWord = { extensions: ['epub', 'mobi', 'azw3', 'pdf'] };
const wordDocument: FileKindWord = { extensions: ['docx', 'doc', 'docm'] };

const table: readonly (readonly [string, FileKindWord])[] = [
  ['pdf pdfs', { kind: 'pdf', extensions: ['pdf'] }],
  [
    'image images picture pictures photo photos foto fotos bild bilder imagen imagenes image images 照片 图片 相片 写真 画像',
    { kind: 'image' },
  ],
  ['video videos movie movies film filme clip clips pelicula 视频 影片 動画 ビデオ', { kind: 'video' }],
  [
    'audio song songs music musik musica lied recording recordings aufnahme 音频 音乐 歌曲 音声 音楽',
    { kind: 'audio' },
  ],
  [
    'code script scripts source program programs programm codigo 代码 程序 脚本 コード スクリプト プログラム',
    { kind: 'code' },
  ],
  [
    'file files datei dateien archivo archivos fichier fichiers ficheiro document documents dokument dokumente documento documentos doc docs 文件 文档 资料 ファイル ふぁいる 文書 書類 ドキュメント',
    { kind: 'document' },
  ],
  [
    'spreadsheet spreadsheets excel tabelle tabellen tabellenkalkulation hoja tableur 表格 电子表格 エクセル スプレッドシート',
    sheet,
  ],
  [
    'presentation presentations slides slide deck powerpoint prasentation folien presentacion diapositivas 演示文稿 幻灯片 プレゼン スライド パワーポイント',
    slides,
  ],
  ['email emails mail mails e-mail correo courriel 邮件 电子邮件 メール', mail],
  ['ebook ebooks 电子书 電子書籍', book],
  ['word ワード', wordDocument],
  ['notebook notebooks jupyter', { extensions: ['ipynb'] }],
  ['python', { extensions: ['py', 'ipynb'] }],
  ['javascript', { extensions: ['js', 'mjs', 'cjs', 'jsx'] }],
  ['typescript', { extensions: ['ts', 'tsx'] }],
  ['markdown', { extensions: ['md', 'markdown'] }],
  ['screenshot screenshots bildschirmfoto', { kind: 'image' }],
];

const extensions =
  'txt md csv tsv json xml html docx xlsx pptx odt ods odp rtf epub eml ics vcf ipynb png jpg jpeg gif svg mp3 mp4 mov wav py js ts cpp java yaml yml toml tex srt';

const kindWords: ReadonlyMap<string, FileKindWord> = new Map([
  ...extensions.split(' ').map((name): [string, FileKindWord] => [name, { extensions: [name] }]),
  ...table.flatMap(([names, meaning]) =>
    names.split(' ').map((name): [string, FileKindWord] => [foldCaseAndAccents(name), meaning]),
  ),
]);

export function findFileKindWord(text: string): FileKindWord | undefined {
  return kindWords.get(text);
}

/** These words mean a time relative to now, such as "today". The arguments `since` and `until` express it exactly. */
const timeWords: ReadonlySet<string> = new Set(
  foldCaseAndAccents(
    `last latest newest recent recently yesterday today week weeks month months year years ago previous past
     letzte letzten letzter letztes neueste neuesten gestern heute woche wochen monat monate monats jahr jahre jahres vergangene
     ultima ultimo ultimas ultimos pasado pasada ayer hoy semana semanas mes meses ano anos reciente recientes
     dernier derniere hier aujourd'hui semaine mois annee recent
     昨天 今天 上周 上个月 上月 去年 今年 最近 最新 昨日 今日 先週 先月 今月 今週 最近の 去年の`,
  ).split(/\s+/),
);

export function isTimeWord(word: string): boolean {
  return timeWords.has(word);
}
