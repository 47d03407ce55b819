import type { ProblemRecord } from './record.ts';

/** Quarry writes its statements as Codeforces does: nested divs, `$$$` mathematics, a rating and no difficulty. */
export const quarry: readonly ProblemRecord[] = [
  {
    id: '41B',
    source: 'quarry',
    slug: 'wagons-in-order',
    title: 'Wagons in Order',
    title_cn: null,
    difficulty: null,
    ac_rate: null,
    rating: 1300,
    contest: '41',
    problem_index: 'B',
    tags: ['binary search', 'greedy'],
    link: 'https://quarry.example/contest/41/problem/B',
    category: 'Quarry Round 41',
    paid_only: 0,
    content: String.raw`<div class="problem-statement"><div class="header"><div class="time-limit"><div class="property-title">time limit per test</div>2 seconds</div><div class="memory-limit"><div class="property-title">memory limit per test</div>256 megabytes</div></div>
<div><p>A train of $$$k$$$ wagons stands under the chute, and $$$n$$$ blocks of stone slide down one after the other. The $$$i$$$-th block weighs $$$w_i$$$ tonnes.</p>
<p>The foreman fills the first wagon for as long as he likes, then lets the train roll on, fills the second one, and so on. The train never rolls back, so each wagon gets a run of consecutive blocks (perhaps none). A wagon has room for at most $$$c$$$ blocks.</p>
<p>The old bridge down the valley cares only about the heaviest wagon. How light can the heaviest wagon be, if every block has to be loaded?</p></div>
<div class="input-specification"><div class="section-title">Input</div>
<p>The first line contains three integers $$$n$$$, $$$k$$$ and $$$c$$$ ($$$1 \le k, c \le n \le 2 \cdot 10^5$$$, $$$n \le k \cdot c$$$).</p>
<p>The second line contains $$$n$$$ integers $$$w_1, w_2, \ldots, w_n$$$ ($$$1 \le w_i \le 10^9$$$).</p></div>
<div class="output-specification"><div class="section-title">Output</div>
<p>Print one integer: the smallest possible weight of the heaviest wagon.</p></div>
<div class="sample-tests"><div class="section-title">Examples</div>
<div class="sample-test"><div class="input"><div class="title">Input</div><pre>
6 3 3
4 1 7 2 2 6
</pre></div><div class="output"><div class="title">Output</div><pre>
9
</pre></div><div class="input"><div class="title">Input</div><pre>
4 2 2
9 1 1 1
</pre></div><div class="output"><div class="title">Output</div><pre>
10
</pre></div></div></div>
<div class="note"><div class="section-title">Note</div>
<p>In the first example the wagons can carry $$$4 + 1$$$, $$$7 + 2$$$ and $$$2 + 6$$$ tonnes.</p>
<p>In the second example the first wagon would like to leave with the heavy block alone, but then the other three would not fit into one wagon.</p></div></div>`,
    content_cn: null,
    similar_questions: [],
  },
  {
    id: '41D',
    source: 'quarry',
    slug: 'gears-in-the-museum',
    title: 'Gears in the Museum',
    title_cn: null,
    difficulty: null,
    ac_rate: null,
    rating: 1900,
    contest: '41',
    problem_index: 'D',
    tags: ['math', 'number theory', 'least common multiple', 'sieve'],
    link: 'https://quarry.example/contest/41/problem/D',
    category: 'Quarry Round 41',
    paid_only: 0,
    content: String.raw`<div class="problem-statement"><div class="header"><div class="time-limit"><div class="property-title">time limit per test</div>2 seconds</div><div class="memory-limit"><div class="property-title">memory limit per test</div>256 megabytes</div></div>
<div><p>The mining museum shows a row of $$$n$$$ gears. Gear $$$i$$$ has $$$a_i$$$ teeth and meshes with gear $$$i + 1$$$, so when one gear moves by one tooth, all of them do. Each gear has a white mark, and in the evening, when the museum closes, every mark points straight up.</p>
<p>At night the ghost of the founder turns the first gear. Nobody may notice, so he only stops once <i>every</i> mark points straight up again, and being a ghost with little time, he stops at the first such moment.</p>
<p>How many full turns has the first gear made? The number can be huge, so print its remainder modulo $$$998\,244\,353$$$.</p></div>
<div class="input-specification"><div class="section-title">Input</div>
<p>The first line contains one integer $$$n$$$ ($$$1 \le n \le 10^5$$$), the number of gears.</p>
<p>The second line contains $$$n$$$ integers $$$a_1, a_2, \ldots, a_n$$$ ($$$2 \le a_i \le 10^6$$$).</p></div>
<div class="output-specification"><div class="section-title">Output</div>
<p>Print one integer: the smallest positive number of full turns of the first gear, modulo $$$998\,244\,353$$$. Note that it is the number of turns that has to be smallest, not the remainder.</p></div>
<div class="sample-tests"><div class="section-title">Examples</div>
<div class="sample-test"><div class="input"><div class="title">Input</div><pre>
3
12 8 30
</pre></div><div class="output"><div class="title">Output</div><pre>
10
</pre></div><div class="input"><div class="title">Input</div><pre>
2
5 5
</pre></div><div class="output"><div class="title">Output</div><pre>
1
</pre></div><div class="input"><div class="title">Input</div><pre>
6
1000 999983 524288 531441 390625 823543
</pre></div><div class="output"><div class="title">Output</div><pre>
986763835
</pre></div></div></div>
<div class="note"><div class="section-title">Note</div>
<p>In the first example $$$120$$$ teeth have to pass: that is $$$10$$$ turns of the first gear, $$$15$$$ of the second and $$$4$$$ of the third.</p></div></div>`,
    content_cn: null,
    similar_questions: [],
  },
  {
    id: '44C',
    source: 'quarry',
    slug: 'the-bat-counts-steps',
    title: 'The Bat Counts Steps',
    title_cn: '',
    difficulty: null,
    ac_rate: null,
    rating: 1500,
    contest: '44',
    problem_index: 'C',
    tags: ['dynamic programming'],
    link: 'https://quarry.example/contest/44/problem/C',
    category: 'Quarry Round 44',
    paid_only: 0,
    // The one statement in Markdown, as crawlers deliver most judges: it must reach the reader byte for byte.
    content: `A ladder with $n$ rungs leads out of the mine, and a bat sleeps beside it. Stepping onto rung $i$ makes $a_i$ units of noise. The miner starts on the ground (rung $0$) and has to end **exactly** on rung $n$. With each step he climbs $1$, $2$ or $3$ rungs.

The bat does not mind noise. What wakes it is *rhythm*: two steps of the same length, one right after the other. So a climb is safe if no two consecutive steps have the same length.

Find the smallest total noise of a safe climb.

## Input

The first line contains one integer $n$ ($1 \\le n \\le 2 \\cdot 10^5$).

The second line contains $n$ integers $a_1, a_2, \\ldots, a_n$ ($0 \\le a_i \\le 10^9$).

## Output

Print one integer, the smallest total noise. It can be shown that a safe climb always exists.

## Examples

Input

\`\`\`
3
5 1 2
\`\`\`

Output

\`\`\`
2
\`\`\`

Input

\`\`\`
6
4 1 8 2 9 3
\`\`\`

Output

\`\`\`
9
\`\`\`

## Note

In the first example one step of length $3$ is enough, and makes $2$ units of noise.

In the second example the steps $1, 3, 2$ touch the rungs $1$, $4$ and $6$: $4 + 2 + 3 = 9$. The steps $2, 2, 2$ would make only $1 + 2 + 3 = 6$ units, but the bat would count along.

The sum does not fit into 32 bits. If you write C++, \`#include <vector>\` and start from this:

\`\`\`cpp
#include <cstdint>
#include <vector>

std::int64_t quietest_climb(const std::vector<std::int64_t>& noise);
\`\`\`
`,
    content_cn: null,
    similar_questions: [],
  },
  {
    id: '47C',
    source: 'quarry',
    slug: 'the-kings-share',
    title: "The King's Share",
    title_cn: null,
    difficulty: null,
    ac_rate: null,
    rating: 1700,
    contest: '47',
    problem_index: 'C',
    tags: ['geometry', 'math', 'greatest common divisor'],
    link: 'https://quarry.example/contest/47/problem/C',
    category: 'Quarry Round 47',
    paid_only: 0,
    content: String.raw`<div class="problem-statement"><div class="header"><div class="time-limit"><div class="property-title">time limit per test</div>1 second</div><div class="memory-limit"><div class="property-title">memory limit per test</div>256 megabytes</div></div>
<div><p>In the Flat Hills there is a gold nugget at every point with integer coordinates; geologists have given up explaining it. Your claim is a simple polygon with $$$n$$$ vertices, all of them at such points.</p>
<p>The law is short. Nuggets strictly inside the claim are yours. Nuggets on its boundary, corners included, belong to the king.</p>
<p>How many nuggets are yours?</p></div>
<div class="input-specification"><div class="section-title">Input</div>
<p>The first line contains one integer $$$n$$$ ($$$3 \le n \le 10^5$$$).</p>
<p>The $$$i$$$-th of the next $$$n$$$ lines contains two integers $$$x_i$$$ and $$$y_i$$$ ($$$-10^9 \le x_i, y_i \le 10^9$$$), the $$$i$$$-th vertex.</p>
<p>The vertices are given in order along the boundary, clockwise or counterclockwise. The polygon does not touch or cross itself. Three consecutive vertices may lie on one line.</p></div>
<div class="output-specification"><div class="section-title">Output</div>
<p>Print one integer: the number of nuggets strictly inside the polygon.</p></div>
<div class="sample-tests"><div class="section-title">Examples</div>
<div class="sample-test"><div class="input"><div class="title">Input</div><pre>
3
0 0
5 0
0 5
</pre></div><div class="output"><div class="title">Output</div><pre>
6
</pre></div><div class="input"><div class="title">Input</div><pre>
7
0 0
0 6
3 2
6 6
6 0
4 0
2 0
</pre></div><div class="output"><div class="title">Output</div><pre>
15
</pre></div><div class="input"><div class="title">Input</div><pre>
4
-1000000000 -1000000000
1000000000 -1000000000
1000000000 1000000000
-1000000000 1000000000
</pre></div><div class="output"><div class="title">Output</div><pre>
3999999996000000001
</pre></div></div></div>
<div class="note"><div class="section-title">Note</div>
<p>In the first example the king gets $$$15$$$ nuggets and you get $$$(1, 1)$$$, $$$(1, 2)$$$, $$$(1, 3)$$$, $$$(2, 1)$$$, $$$(2, 2)$$$ and $$$(3, 1)$$$.</p>
<p>In the third example even <i>twice</i> the area fits into a signed 64-bit integer, but only just.</p></div></div>`,
    content_cn: null,
    similar_questions: [],
  },
];
