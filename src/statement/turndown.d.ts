// The browser build of turndown does not load domino, its own HTML parser. Its published types require a DOM, but it
// accepts any tree whose nodes have the members of `StatementElement`.
declare module 'turndown/lib/turndown.browser.cjs.js' {
  export default class TurndownService<Node extends { readonly nodeType: 1 }> {
    constructor(options: { defaultReplacement: (content: string, node: Node) => string });
    addRule(key: string, rule: { filter: string; replacement: (content: string, node: Node) => string }): this;
    escape: (text: string) => string;
    turndown(root: Node): string;
  }
}
