// turndown's browser build leaves out domino, its own HTML parser. Its published types ask for a DOM; it works on any
// tree that has the few members of `StatementElement`.
declare module 'turndown/lib/turndown.browser.cjs.js' {
  export default class TurndownService<Node extends { readonly nodeType: 1 }> {
    addRule(key: string, rule: { filter: () => boolean; replacement: (content: string, node: Node) => string }): this;
    escape: (text: string) => string;
    turndown(root: Node): string;
  }
}
