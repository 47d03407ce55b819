import { expect, test } from 'vitest';
import { ConversionBudget, ConversionBudgetExceeded } from '../../src/statement/budget.ts';
import { statementMarkdown } from '../../src/statement/index.ts';

const plainNote = /^\(Plain text: this page could not be converted/;

/** This budget throws an error at its first use, and thus simulates a bug in a conversion rule. */
class FailingBudget extends ConversionBudget {
  constructor(error: Error) {
    super();
    this.elements.spend = () => {
      throw error;
    };
  }
}

test.each(['<p>a <b>b</b></p>', '# T\n\n<p>a <b>b</b></p>'])(
  'statementMarkdown returns plain text with a note and reports the error when a bug occurs: %j',
  html => {
    const bug = new TypeError('x is not a function');
    const reported: unknown[] = [];
    const text = statementMarkdown(html, undefined, Infinity, error => reported.push(error), new FailingBudget(bug));
    expect(text).toMatch(plainNote);
    expect(text).toContain('a b');
    expect(reported).toEqual([bug]);
  },
);

test('statementMarkdown does not report a page that exceeds the step budget as a bug', () => {
  const reported: unknown[] = [];
  const budget = new FailingBudget(new ConversionBudgetExceeded('more than 0 elements'));
  expect(statementMarkdown('<p>a</p>', undefined, Infinity, error => reported.push(error), budget)).toMatch(plainNote);
  expect(reported).toEqual([]);
});

test('statementMarkdown throws an unexpected error if the caller passes no onBug callback', () => {
  const bug = new TypeError('x is not a function');
  expect(() => statementMarkdown('<p>a</p>', undefined, Infinity, undefined, new FailingBudget(bug))).toThrow(bug);
});
