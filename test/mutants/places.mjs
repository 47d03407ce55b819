// @ts-check
// Lists the changes that can be made in a source file: operators, conditions, numbers, booleans and calls.
import { parseAst } from 'vitest/node';

/**
 * A change of one node of the syntax tree. `code` prints the node with a switch, `alone` replaces a range of the file.
 * @typedef {{
 *   file: string,
 *   lines: [number, number],
 *   node: [number, number],
 *   change: string,
 *   code: (part: (node: any) => string) => string,
 *   alone: [number, number, string],
 * }} Mutant
 */

/** @type {Readonly<Record<string, string>>} */
const opposites = {
  '===': '!==',
  '!==': '===',
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '&&': '||',
  '||': '&&',
  '??': '&&',
  '+': '-',
  '-': '+',
  '*': '/',
};

/**
 * @param {string} file
 * @param {string} text
 * @returns {Mutant[]}
 */
export function mutantsOf(file, text) {
  /** @type {Mutant[]} */
  const found = [];
  /** @param {any} node */
  const visit = node => {
    if (Array.isArray(node)) return node.forEach(visit);
    if (typeof node?.type !== 'string') return;
    if (/^TS(?!As|NonNull|Satisfies)/.test(node.type)) return;
    /** @type {(start: number, end: number, by: string, code: Mutant['code']) => void} */
    const add = (start, end, by, code) => {
      const line = text.slice(0, start).split('\n').length;
      const lastLine = text.slice(0, end).split('\n').length;
      const was = text.slice(start, end).replaceAll(/\s+/g, ' ').slice(0, 60);
      const change = `${file}:${line} ${was} → ${by === ';' ? 'nothing' : by}`;
      found.push({
        file,
        lines: [line, lastLine],
        node: [node.start, node.end],
        change,
        code,
        alone: [start, end, by],
      });
    };
    switch (node.type) {
      case 'BinaryExpression':
      case 'LogicalExpression': {
        const at = text.indexOf(node.operator, node.left.end);
        const by = opposites[node.operator];
        if (by === undefined) break;
        add(at, at + node.operator.length, by, part => {
          const [left, right] = [part(node.left), part(node.right)];
          return `($SWITCH ? (${left}) ${by} (${right}) : (${left}) ${node.operator} (${right}))`;
        });
        break;
      }
      case 'Literal': {
        if (typeof node.value !== 'boolean' && typeof node.value !== 'number') break;
        const by = String(typeof node.value === 'number' ? node.value + 1 : !node.value);
        add(node.start, node.end, by, () => `($SWITCH ? ${by} : ${node.raw})`);
        break;
      }
      case 'IfStatement':
      case 'ConditionalExpression':
        add(node.test.start, node.test.end, 'false', part => {
          const rest =
            node.type === 'IfStatement' ? [node.consequent, node.alternate] : [node.consequent, node.alternate];
          const [yes, no] = rest.map(child => (child === null ? undefined : part(child)));
          return node.type === 'IfStatement'
            ? `if (!$SWITCH && (${part(node.test)})) ${yes}${no === undefined ? '' : ` else ${no}`}`
            : `(!$SWITCH && (${part(node.test)}) ? ${yes} : ${no})`;
        });
        break;
      case 'UnaryExpression':
        if (node.operator === '!') {
          add(
            node.start,
            node.start + 1,
            '',
            part => `($SWITCH ? (${part(node.argument)}) : !(${part(node.argument)}))`,
          );
        }
        break;
      case 'ExpressionStatement':
        if (/^(?:Await|Call)Expression$/.test(node.expression.type)) {
          // The braces are needed, because an `else` after the condition would otherwise belong to the switch.
          add(node.start, node.end, ';', part => `{ if (!$SWITCH) ${part(node.expression)}; }`);
        }
        break;
    }
    for (const [key, child] of Object.entries(node)) {
      const isName = key === 'key' && node.computed === false;
      if (typeof child === 'object' && !isName) visit(child);
    }
  };
  visit(parseAst(text, { lang: 'ts' }));
  return found;
}
