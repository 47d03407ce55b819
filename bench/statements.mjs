// Creates statements in the HTML of three judges, of any size, and never the same one twice.

/** The backend replaces this text by the number of the request. */
export const serialMark = '{serial}';

const words =
  'array string node edge weight path sum maximum minimum number distinct element index operation query vertex tree ' +
  'graph cost value sequence non-negative integer length reach choose remove return such that every between at most ' +
  'exactly contiguous interval player turn optimal score cell grid row column';
const vocabulary = words.split(' ');

const flavours = { leetcode, codeforces, atcoder };

/** The platforms whose HTML is imitated. */
export const sources = Object.keys(flavours);

/** Returns a statement with at least this number of characters. Each seed has its own text. */
export function statement(source, minLength, seed) {
  return flavours[source](createRandom(seed), minLength);
}

/**
 * Returns the random number generator Mulberry32, so that every run has the same statements and runs can be compared.
 */
export function createRandom(seed) {
  let state = seed;
  return limit => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % limit;
  };
}

function leetcode(random, minLength) {
  const head = `<p>You are given an integer array <code>nums</code> of <strong>exactly</strong> <code>n = ${serialMark}</code> numbers. ${sentence(random)}</p>\n\n`;
  const tail = `<p>&nbsp;</p>\n<p><strong>Constraints:</strong></p>\n\n<ul>\n\t<li><code>1 &lt;= nums.length &lt;= 10<sup>5</sup></code></li>\n\t<li><code>-10<sup>9</sup> &lt;= nums[i] &lt;= ${serialMark}</code></li>\n\t<li><code>nums</code> is sorted in <em>non-decreasing</em> order.</li>\n</ul>\n\n<p>&nbsp;</p>\n<strong>Follow-up:</strong> Can you do it in <code>O(n log n)</code>?`;
  return fill(head, tail, minLength, number =>
    [
      `<p>${sentence(random)} <em>Return <strong>the ${word(random)}</strong></em>, or <code>-1</code> if there&nbsp;is none. ${sentence(random)}</p>\n`,
      `<ul>\n\t<li>${sentence(random)}</li>\n\t<li>${sentence(random)} <code>nums[i] &gt; ${random(1000)}</code></li>\n</ul>\n`,
      `<p><strong class="example">Example ${number}:</strong></p>\n<img alt="" src="https://assets.example/uploads/${random(9999)}.png" style="width: 400px; height: 200px;" />\n<pre>\n<strong>Input:</strong> nums = [${numbers(random, 12, ',')}], target = ${serialMark}\n<strong>Output:</strong> [${numbers(random, 4, ',')}]\n<strong>Explanation:</strong> ${sentence(random)}\n</pre>\n`,
    ].join('\n'),
  );
}

function codeforces(random, minLength) {
  const head = `<div class="problem-statement"><div class="header"><div class="title">A. ${word(random)} ${serialMark}</div><div class="time-limit"><div class="property-title">time limit per test</div>2 seconds</div><div class="memory-limit"><div class="property-title">memory limit per test</div>256 megabytes</div></div><div>`;
  const tail = `</div><div class="note"><div class="section-title">Note</div><p>${sentence(random)} The answer is $$$${serialMark}$$$.</p></div></div>`;
  return fill(head, tail, minLength, () =>
    [
      `<p>${sentence(random)} You are given $$$n$$$ integers $$$a_1, a_2, \\ldots, a_n$$$ ($$$1 \\le a_i \\le ${serialMark}$$$). ${sentence(random)}</p>`,
      `<div class="input-specification"><div class="section-title">Input</div><p>${sentence(random)} <span class="tex-font-style-bf">${word(random)}</span> — ${sentence(random)}</p><ul> <li> ${sentence(random)} </li><li> ${sentence(random)} </li></ul></div>`,
      `<div class="sample-tests"><div class="section-title">Example</div><div class="sample-test"><div class="input"><div class="title">Input</div><pre>${lines(random)}</pre></div><div class="output"><div class="title">Output</div><pre>\n${numbers(random, 6, '\n')}\n</pre></div></div></div>`,
    ].join(''),
  );
}

function atcoder(random, minLength) {
  const head = `<span class="lang">\n<span class="lang-en">\n<p>Score : <var>${serialMark}</var> points</p>\n`;
  const tail = '\n</span>\n</span>';
  return fill(head, tail, minLength, number =>
    [
      `<div class="part">\n<section>\n<h3>Problem Statement</h3><p>${sentence(random)} For <var>i = 1, 2, \\ldots, N</var>, ${sentence(random)}</p>\n<p>${sentence(random)}</p>\n</section>\n</div>`,
      `<div class="part">\n<section>\n<h3>Constraints</h3><ul>\n<li><var>1 \\leq N \\leq ${serialMark}</var></li>\n<li><var>1 \\leq A_{i,j} \\leq 10^9</var> ×${random(90)}</li>\n<li>All values in input are integers.</li>\n</ul>\n</section>\n</div>`,
      `<table border="1"><thead><tr><th>${word(random)}</th><th>${word(random)}</th></tr></thead><tbody><tr><td>${random(99)}</td><td>${random(99)}</td></tr><tr><td>${random(99)}</td><td>≤ ${random(99)}</td></tr></tbody></table>`,
      `<div class="part">\n<section>\n<h3>Sample Input ${number}</h3><pre>${numbers(random, 8, ' ')}\n${numbers(random, 8, ' ')}\n</pre>\n</section>\n</div>\n<hr>\n`,
    ].join('\n'),
  );
}

function fill(head, tail, minLength, block) {
  let text = head;
  for (let number = 1; text.length + tail.length < minLength; number++) text += block(number);
  return text + tail;
}

function sentence(random) {
  const text = Array.from({ length: 9 + random(8) }, () => word(random)).join(' ');
  return `${text[0].toUpperCase()}${text.slice(1)}.`;
}

function word(random) {
  return vocabulary[random(vocabulary.length)];
}

function numbers(random, count, separator) {
  return Array.from({ length: count }, () => random(100_000)).join(separator);
}

function lines(random) {
  return Array.from(
    { length: 5 },
    (_, index) => `<div class="test-example-line test-example-line-${index % 2}">${numbers(random, 4, ' ')}</div>`,
  ).join('');
}
