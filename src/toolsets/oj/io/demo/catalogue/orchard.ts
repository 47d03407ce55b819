import type { ProblemRecord } from './record.ts';

/** Orchard writes its statements as LeetCode does: examples in `<pre>`, a function to complete, constraints in `<code>`. */
export const orchard: readonly ProblemRecord[] = [
  {
    id: '1',
    source: 'orchard',
    slug: 'petal-garland',
    title: 'Petal Garland',
    title_cn: '花瓣花环',
    difficulty: 'Easy',
    ac_rate: 71.48203915830271,
    rating: 1204.5518,
    contest: null,
    problem_index: null,
    tags: ['String', 'Palindrome', 'Greedy'],
    link: 'https://orchard.example/problems/petal-garland/',
    category: 'Algorithms',
    paid_only: 0,
    content: `<p>Each petal in your basket has a colour, and the string <code>petals</code> holds one lowercase letter for each of them.</p>

<p>You string some of the petals, in any order, into a garland. It will hang over a door that is used from both sides, so it has to be a <strong>palindrome</strong>: the same from left to right as from right to left.</p>

<p>Return <em>the longest garland you can make. If there are several, return the lexicographically smallest one</em>.</p>

<p>&nbsp;</p>
<p><strong class="example">Example 1:</strong></p>

<pre>
<strong>Input:</strong> petals = "rosepetals"
<strong>Output:</strong> "esase"
<strong>Explanation:</strong> There are two e and two s. One more petal fits in the middle, and a is the smallest choice.
</pre>

<p><strong class="example">Example 2:</strong></p>

<pre>
<strong>Input:</strong> petals = "bbbaa"
<strong>Output:</strong> "abbba"
<strong>Explanation:</strong> All five petals are used. The garland "baabb" is not a palindrome, and "babab" is larger.
</pre>

<p><strong class="example">Example 3:</strong></p>

<pre>
<strong>Input:</strong> petals = "iris"
<strong>Output:</strong> "iri"
</pre>

<p>&nbsp;</p>
<p><strong>Constraints:</strong></p>

<ul>
	<li><code>1 &lt;= petals.length &lt;= 10<sup>5</sup></code></li>
	<li><code>petals</code> consists of lowercase English letters.</li>
</ul>
`,
    content_cn: null,
    similar_questions: [],
  },
  {
    id: '2',
    source: 'orchard',
    slug: 'firefly-signals',
    title: 'Firefly Signals',
    title_cn: '萤火虫信号',
    difficulty: 'Easy',
    ac_rate: 64.90517724186604,
    rating: 0,
    contest: null,
    problem_index: null,
    tags: ['Array', 'Bit Manipulation', 'Counting'],
    link: 'https://orchard.example/problems/firefly-signals/',
    category: 'Algorithms',
    paid_only: 0,
    content: `<p>Every firefly in the orchard blinks a signal of <code>30</code> bits over and over. The signal of the <code>i<sup>th</sup></code> firefly is the binary form of <code>signals[i]</code>, leading zeros included, so there are <span class="katex"><span class="katex-mathml"><math xmlns="http://www.w3.org/1998/Math/MathML"><semantics><mrow><msup><mn>2</mn><mn>30</mn></msup></mrow><annotation encoding="application/x-tex">2^{30}</annotation></semantics></math></span><span class="katex-html" aria-hidden="true"><span class="base"><span class="mord">2</span><span class="mord">30</span></span></span></span> possible signals.</p>

<p>Tonight they want to blink in unison. In one <strong>move</strong> a single firefly flips a single bit of its signal, from <code>0</code> to <code>1</code> or from <code>1</code> to <code>0</code>.</p>

<p>Return <em>the smallest number of moves after which all signals are equal</em>.</p>

<p>&nbsp;</p>
<p><strong class="example">Example 1:</strong></p>

<pre>
<strong>Input:</strong> signals = [5,7,4]
<strong>Output:</strong> 2
<strong>Explanation:</strong> In binary: 101, 111 and 100. With one move 7 becomes 5, with another 4 becomes 5.
</pre>

<p><strong class="example">Example 2:</strong></p>

<pre>
<strong>Input:</strong> signals = [1,2,4,8]
<strong>Output:</strong> 4
<strong>Explanation:</strong> Everybody goes dark.
</pre>

<p><strong class="example">Example 3:</strong></p>

<pre>
<strong>Input:</strong> signals = [0,1073741823]
<strong>Output:</strong> 30
</pre>

<p>&nbsp;</p>
<p><strong>Constraints:</strong></p>

<ul>
	<li><code>1 &lt;= signals.length &lt;= 10<sup>5</sup></code></li>
	<li><code>0 &lt;= signals[i] &lt; 2<sup>30</sup></code></li>
</ul>

<p>&nbsp;</p>
<p><strong>Follow-up:</strong> Can you do it in one pass over the array?</p>
`,
    content_cn: null,
    similar_questions: [],
  },
  {
    id: '3',
    source: 'orchard',
    slug: 'the-goose-at-the-gate',
    title: 'The Goose at the Gate',
    title_cn: '门口的大鹅',
    difficulty: 'Medium',
    ac_rate: 48.27361150943817,
    rating: 1588.0274,
    contest: null,
    problem_index: null,
    tags: ['Array', 'Stack', 'Simulation'],
    link: 'https://orchard.example/problems/the-goose-at-the-gate/',
    category: 'Algorithms',
    paid_only: 0,
    content: `<p>At harvest time crates of apples arrive at the gate one by one; the <code>i<sup>th</sup></code> crate holds <code>apples[i]</code> apples. In the yard they are piled into a <strong>single stack</strong>, and the goose who guards the gate has views on the matter:</p>

<ol>
	<li>A crate arrives.
	<ul>
		<li>If the yard is empty, it is put down, and the goose nods.</li>
		<li>Otherwise the goose compares it with the crate on top of the stack.
		<ul>
			<li>If the crate on top holds <strong>strictly more</strong> apples, the new crate is put on top of it.</li>
			<li>If not, the goose pulls the top crate off the stack, tips its apples into the new crate, and goes back to step 1 with the fuller crate.</li>
		</ul>
		</li>
	</ul>
	</li>
	<li>The next crate arrives, until there are none left.</li>
</ol>

<p>Return <em>the number of apples in each crate of the final stack, from the bottom to the top</em>.</p>

<p>&nbsp;</p>
<p><strong class="example">Example 1:</strong></p>

<pre>
<strong>Input:</strong> apples = [9,4,2,3,1]
<strong>Output:</strong> [18,1]
<strong>Explanation:</strong> The crates with 9, 4 and 2 are stacked. The crate with 3 swallows 2 and holds 5, then swallows 4 and holds 9, then swallows 9 and holds 18. The last crate is put on top.
</pre>

<p><strong class="example">Example 2:</strong></p>

<pre>
<strong>Input:</strong> apples = [8,4,2,1]
<strong>Output:</strong> [8,4,2,1]
<strong>Explanation:</strong> The goose is content, and a little bored.
</pre>

<p><strong class="example">Example 3:</strong></p>

<pre>
<strong>Input:</strong> apples = [20,3,3,5,10,1,1]
<strong>Output:</strong> [41,2]
</pre>

<p>&nbsp;</p>
<p><strong>Constraints:</strong></p>

<ul>
	<li><code>1 &lt;= apples.length &lt;= 10<sup>5</sup></code></li>
	<li><code>1 &lt;= apples[i] &lt;= 10<sup>9</sup></code></li>
	<li>The answer may need 64-bit integers.</li>
</ul>
`,
    content_cn: null,
    similar_questions: [],
  },
  {
    id: '4',
    source: 'orchard',
    slug: 'dry-feet',
    title: 'Dry Feet',
    title_cn: '不湿脚',
    difficulty: 'Hard',
    ac_rate: 33.75,
    rating: 2143.9106,
    contest: null,
    problem_index: null,
    tags: ['Graph', 'Breadth-First Search', 'Shortest Path', 'Matrix'],
    link: 'https://orchard.example/problems/dry-feet/',
    category: 'Algorithms',
    paid_only: 0,
    content: `<p>A hedgehog wants to cross the garden without getting wet. The garden is an <code>m x n</code> grid, given as an array of strings <code>garden</code>:</p>

<ul>
	<li><code>'.'</code> is grass,</li>
	<li><code>'#'</code> is a wall,</li>
	<li>a digit <code>d</code> from <code>'2'</code> to <code>'4'</code> is a sprinkler, which sprays its own cell at every minute <code>t</code> divisible by <code>d</code>.</li>
</ul>

<p>At minute <code>0</code> the hedgehog sits in the top-left cell. During each minute it walks to one of the four neighbouring cells or stays where it is. It never enters a wall, and at no minute may it be on a sprinkler that sprays at that minute.</p>

<p>Return <em>the smallest number of minutes after which the hedgehog can be in the bottom-right cell, or</em> <code>-1</code> <em>if there is no dry path</em>.</p>

<p>&nbsp;</p>
<p><strong class="example">Example 1:</strong></p>

<pre>
<strong>Input:</strong> garden = [".3.2."]
<strong>Output:</strong> 4
<strong>Explanation:</strong> Walk straight on. The 3 is crossed at minute 1 and the 2 at minute 3, when they do not spray.
</pre>

<p><strong class="example">Example 2:</strong></p>

<pre>
<strong>Input:</strong> garden = [".22."]
<strong>Output:</strong> -1
<strong>Explanation:</strong> Crossing takes two minutes in a row, and one of them is even.
</pre>

<p><strong class="example">Example 3:</strong></p>

<pre>
<strong>Input:</strong> garden = [".4.","#2#","..."]
<strong>Output:</strong> 5
<strong>Explanation:</strong> The hedgehog waits one minute in its corner, so that it crosses the 4 at minute 2 and the 2 at minute 3.
</pre>

<p>&nbsp;</p>
<p><strong>Constraints:</strong></p>

<ul>
	<li><code>m == garden.length</code></li>
	<li><code>n == garden[i].length</code></li>
	<li><code>1 &lt;= m, n &lt;= 100</code></li>
	<li><code>2 &lt;= m * n &lt;= 10<sup>4</sup></code></li>
	<li>The top-left and the bottom-right cell are grass.</li>
</ul>
`,
    content_cn: null,
    similar_questions: [],
  },
  {
    id: '5',
    source: 'orchard',
    slug: 'two-baskets',
    title: 'Two Baskets',
    title_cn: '两只篮子',
    difficulty: 'Hard',
    ac_rate: 29.61640287905371,
    rating: 2267.3342,
    contest: null,
    problem_index: null,
    tags: ['Array', 'Dynamic Programming'],
    link: 'https://orchard.example/problems/two-baskets/',
    category: 'Algorithms',
    paid_only: 0,
    content: `<p>You walk once along a row of pear trees, from left to right, with an empty basket in each hand. The pear on the <code>i<sup>th</sup></code> tree weighs <code>pears[i]</code> grams.</p>

<p>At each tree you leave the pear hanging or put it on top of the others in one of the two baskets. Pears bruise easily: a pear may only lie on a pear that is <strong>at least as heavy</strong>. So if <code>p<sub>1</sub>, p<sub>2</sub>, ..., p<sub>k</sub></code> are the weights in one basket in the order of picking, then <code>p<sub>1</sub> &gt;= p<sub>2</sub> &gt;= ... &gt;= p<sub>k</sub></code>.</p>

<p>Return <em>the largest number of pears you can carry home in both baskets together</em>.</p>

<p>&nbsp;</p>
<p><strong class="example">Example 1:</strong></p>

<pre>
<strong>Input:</strong> pears = [50,90,40,80,30,70]
<strong>Output:</strong> 6
<strong>Explanation:</strong> The left basket gets 50, 40 and 30, the right one 90, 80 and 70.
</pre>

<p><strong class="example">Example 2:</strong></p>

<pre>
<strong>Input:</strong> pears = [10,20,30]
<strong>Output:</strong> 2
<strong>Explanation:</strong> No two of these pears may share a basket.
</pre>

<p><strong class="example">Example 3:</strong></p>

<pre>
<strong>Input:</strong> pears = [31,41,59,26,53,58,97,93,23,84]
<strong>Output:</strong> 6
</pre>

<p>&nbsp;</p>
<p><strong>Constraints:</strong></p>

<ul>
	<li><code>1 &lt;= pears.length &lt;= 300</code></li>
	<li><code>1 &lt;= pears[i] &lt;= 10<sup>6</sup></code></li>
</ul>
`,
    content_cn: null,
    similar_questions: [],
  },
];
