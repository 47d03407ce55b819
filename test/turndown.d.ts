/** Declares the module turndown, because its published types require a DOM. */
declare module 'turndown' {
  export default class TurndownService {
    turndown(html: string): string;
  }
}
