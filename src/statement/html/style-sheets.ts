import { isScreenMedia, type StyleSheet } from '../css/sheet.ts';
import { HtmlReader, type HtmlTokenHandler } from './reader.ts';

/**
 * Parses all style sheets of a page before its elements, because a style sheet also applies to the elements before it.
 */
export function readStyleSheets(html: string, sheet: StyleSheet): void {
  let open: string | undefined;
  const handler: HtmlTokenHandler = {
    open: (name, { media = '' }) => {
      open = name === 'style' && isScreenMedia(media) ? '' : undefined;
    },
    close: () => {
      if (open !== undefined) sheet.read(open);
      open = undefined;
    },
    text: text => {
      if (open !== undefined) open += text;
    },
  };
  new HtmlReader(html, handler).read();
  handler.close('style');
}
