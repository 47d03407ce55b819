/** What other programs convert with: its own parser, its own rules. Its published types ask for a DOM. */
declare module 'turndown' {
  export default class TurndownService {
    turndown(html: string): string;
  }
}
