import type { ProblemRecord } from './record.ts';

/** Lantern writes its statements as AtCoder does: sections, `<var>` mathematics, no difficulty and no acceptance rate. */
export const lantern: readonly ProblemRecord[] = [
  {
    id: 'lan007_a',
    source: 'lantern',
    slug: 'tea-for-two-clocks',
    title: 'Tea for Two Clocks',
    title_cn: null,
    difficulty: null,
    ac_rate: null,
    rating: null,
    contest: 'lan007',
    problem_index: 'A',
    tags: ['math', 'number theory', 'least common multiple'],
    link: 'https://lantern.example/contests/lan007/tasks/lan007_a',
    category: 'LAN',
    paid_only: 0,
    content: String.raw`<span class="lang-en">
<p>Score : <var>200</var> points</p>
<section>
<h3>Problem Statement</h3>
<p>Two clocks hang in Mrs. Ombra's kitchen, and they have never agreed on anything. Counting from midnight, the owl clock hoots every <var>A</var> minutes and the cuckoo clock calls every <var>B</var> minutes.</p>
<p>Whenever a clock makes a sound, Mrs. Ombra pours herself a cup of tea. When both sound in the same minute she still pours only <strong>one</strong> cup. At midnight, which is minute <var>0</var>, both sound, but she is asleep and pours nothing.</p>
<p>How many cups has she poured by the end of minute <var>T</var>?</p>
</section>
<section>
<h3>Constraints</h3>
<ul>
<li><var>1 \leq A, B \leq 10^9</var></li>
<li><var>1 \leq T \leq 10^{18}</var></li>
<li>All values in the input are integers.</li>
</ul>
</section>
<hr/>
<section>
<h3>Input</h3>
<p>The input is given from Standard Input in the following format:</p>
<pre><var>A</var> <var>B</var> <var>T</var>
</pre>
</section>
<section>
<h3>Output</h3>
<p>Print the number of cups.</p>
</section>
<hr/>
<section>
<h3>Sample Input 1</h3>
<pre>4 6 24
</pre>
</section>
<section>
<h3>Sample Output 1</h3>
<pre>8
</pre>
<p>She pours at minutes <var>4, 6, 8, 12, 16, 18, 20</var> and <var>24</var>. At minutes <var>12</var> and <var>24</var> both clocks sound, for one cup each time.</p>
</section>
<section>
<h3>Sample Input 2</h3>
<pre>7 7 6
</pre>
</section>
<section>
<h3>Sample Output 2</h3>
<pre>0
</pre>
<p>A quiet house. The kettle has not even boiled.</p>
</section>
<section>
<h3>Sample Input 3</h3>
<pre>999999937 1000000000 1000000000000000000
</pre>
</section>
<section>
<h3>Sample Output 3</h3>
<pre>2000000062
</pre>
<p>Mind the size of the numbers, and of the bladder.</p>
</section>
</span>`,
    content_cn: null,
    similar_questions: [],
  },
  {
    id: 'lan010_b',
    source: 'lantern',
    slug: 'mirror-signs',
    title: 'Mirror Signs',
    title_cn: null,
    difficulty: null,
    ac_rate: null,
    rating: null,
    contest: 'lan010',
    problem_index: 'B',
    tags: ['string', 'palindrome'],
    link: 'https://lantern.example/contests/lan010/tasks/lan010_b',
    category: 'LAN',
    paid_only: 0,
    content: String.raw`<span class="lang-en">
<p>Score : <var>300</var> points</p>
<section>
<h3>Problem Statement</h3>
<p>Pim paints signs that drivers will see in their rear-view mirrors. In a mirror a word runs backwards and every letter is flipped. Only thirteen letters survive the flip:</p>
<table>
<thead>
<tr><th>Letter</th><th>In the mirror</th></tr>
</thead>
<tbody>
<tr><td>i, l, m, o, t, u, v, w, x</td><td>the same letter</td></tr>
<tr><td>b</td><td>d</td></tr>
<tr><td>d</td><td>b</td></tr>
<tr><td>p</td><td>q</td></tr>
<tr><td>q</td><td>p</td></tr>
<tr><td>any other letter</td><td>a scribble, equal to no letter</td></tr>
</tbody>
</table>
<p>A word is <em>faithful</em> if it reads the same in the mirror as on the wall: like a palindrome, but with the letters flipped as well.</p>
<p>You are given a string <var>S</var>. How many of its non-empty contiguous substrings are faithful? Substrings at different positions count separately, even if they are equal.</p>
</section>
<section>
<h3>Constraints</h3>
<ul>
<li><var>1 \leq |S| \leq 5 \times 10^3</var></li>
<li><var>S</var> consists of lowercase English letters.</li>
</ul>
</section>
<hr/>
<section>
<h3>Input</h3>
<p>The input is given from Standard Input in the following format:</p>
<pre><var>S</var>
</pre>
</section>
<section>
<h3>Output</h3>
<p>Print the number of faithful substrings.</p>
</section>
<hr/>
<section>
<h3>Sample Input 1</h3>
<pre>bod
</pre>
</section>
<section>
<h3>Sample Output 1</h3>
<pre>2
</pre>
<p>They are <code>o</code> and <code>bod</code>. A lone <code>b</code> turns into <code>d</code>, so it is not faithful.</p>
</section>
<section>
<h3>Sample Input 2</h3>
<pre>tooth
</pre>
</section>
<section>
<h3>Sample Output 2</h3>
<pre>6
</pre>
<p>The letters <code>t</code>, <code>o</code>, <code>o</code>, <code>t</code>, then <code>oo</code> and <code>toot</code>.</p>
</section>
<section>
<h3>Sample Input 3</h3>
<pre>greengrocer
</pre>
</section>
<section>
<h3>Sample Output 3</h3>
<pre>1
</pre>
<p>Only the <code>o</code> survives. The greengrocer was not amused.</p>
</section>
</span>`,
    content_cn: null,
    similar_questions: [],
  },
  {
    id: 'lan012_c',
    source: 'lantern',
    slug: 'the-lamplighters-way-home',
    title: "The Lamplighter's Way Home",
    title_cn: null,
    difficulty: null,
    ac_rate: null,
    rating: null,
    contest: 'lan012',
    problem_index: 'C',
    tags: ['graph', 'shortest path', "dijkstra's algorithm"],
    link: 'https://lantern.example/contests/lan012/tasks/lan012_c',
    category: 'LAN',
    paid_only: 0,
    content: String.raw`<span class="lang-en">
<p>Score : <var>450</var> points</p>
<section>
<h3>Problem Statement</h3>
<p>The town has <var>N</var> squares and <var>M</var> alleys. Alley <var>i</var> joins squares <var>A_i</var> and <var>B_i</var>, can be walked both ways, and takes <var>T_i</var> minutes. It is lit if <var>S_i = 1</var> and dark if <var>S_i = 0</var>.</p>
<p>The lamplighter walks home from square <var>1</var> to square <var>N</var>. He has a hand lantern and two principles:</p>
<ul>
<li>in a dark alley the lantern must burn, for he is afraid of the dark;</li>
<li>in a lit alley it must be out, for oil is dear.</li>
</ul>
<p>At any square he may light the lantern, which takes <var>K</var> minutes of fumbling with matches, or put it out, which takes no time. When he sets off, the lantern is out.</p>
<p>Find the shortest time in which he can reach home, or report that there is no path at all.</p>
</section>
<section>
<h3>Constraints</h3>
<ul>
<li><var>2 \leq N \leq 10^5</var></li>
<li><var>1 \leq M \leq 2 \times 10^5</var></li>
<li><var>0 \leq K \leq 10^9</var></li>
<li><var>1 \leq A_i, B_i \leq N</var>, <var>A_i \neq B_i</var></li>
<li><var>1 \leq T_i \leq 10^9</var></li>
<li><var>S_i</var> is <var>0</var> or <var>1</var>.</li>
<li>Several alleys may join the same two squares.</li>
</ul>
</section>
<hr/>
<section>
<h3>Input</h3>
<p>The input is given from Standard Input in the following format:</p>
<pre><var>N</var> <var>M</var> <var>K</var>
<var>A_1</var> <var>B_1</var> <var>T_1</var> <var>S_1</var>
<var>\vdots</var>
<var>A_M</var> <var>B_M</var> <var>T_M</var> <var>S_M</var>
</pre>
</section>
<section>
<h3>Output</h3>
<p>Print the shortest time in minutes, or <code>-1</code> if square <var>N</var> cannot be reached.</p>
</section>
<hr/>
<section>
<h3>Sample Input 1</h3>
<pre>4 4 5
1 2 3 1
2 4 3 0
1 3 2 0
3 4 5 0
</pre>
</section>
<section>
<h3>Sample Output 1</h3>
<pre>11
</pre>
<p>He walks to square <var>2</var> in <var>3</var> minutes, fumbles for <var>5</var>, and takes the dark alley home in <var>3</var>. The way over square <var>3</var> takes <var>5 + 2 + 5 = 12</var> minutes.</p>
</section>
<section>
<h3>Sample Input 2</h3>
<pre>5 6 4
1 2 1 0
2 3 1 1
3 5 1 0
2 4 3 0
4 5 2 0
1 5 11 1
</pre>
</section>
<section>
<h3>Sample Output 2</h3>
<pre>10
</pre>
<p>The route over square <var>3</var> walks only <var>3</var> minutes, but the lantern has to be lit twice. Staying in the dark by way of square <var>4</var> is quicker.</p>
</section>
<section>
<h3>Sample Input 3</h3>
<pre>3 1 0
1 2 7 1
</pre>
</section>
<section>
<h3>Sample Output 3</h3>
<pre>-1
</pre>
</section>
</span>`,
    content_cn: null,
    similar_questions: [],
  },
  {
    id: 'lan015_d',
    source: 'lantern',
    slug: 'oil-for-the-long-night',
    title: 'Oil for the Long Night',
    title_cn: null,
    difficulty: null,
    ac_rate: null,
    rating: null,
    contest: 'lan015',
    problem_index: 'D',
    tags: ['binary search', 'greedy'],
    link: 'https://lantern.example/contests/lan015/tasks/lan015_d',
    category: 'LAN',
    paid_only: 0,
    content: String.raw`<span class="lang-en">
<p>Score : <var>500</var> points</p>
<section>
<h3>Problem Statement</h3>
<p>A lighthouse has <var>N</var> lanterns; lantern <var>i</var> holds <var>A_i</var> cups of oil. A burning lantern uses exactly one cup per hour.</p>
<p>By the harbour rules exactly <var>K</var> lanterns have to burn at every moment. At the start of each hour the keeper picks any <var>K</var> different lanterns that still have oil, and those burn through that hour. He may pick others an hour later, but he may not pour oil from one lantern into another.</p>
<p>For how many whole hours, at most, can he keep the rules?</p>
</section>
<section>
<h3>Constraints</h3>
<ul>
<li><var>1 \leq K \leq N \leq 2 \times 10^5</var></li>
<li><var>0 \leq A_i \leq 10^9</var></li>
<li>All values in the input are integers.</li>
</ul>
</section>
<hr/>
<section>
<h3>Input</h3>
<p>The input is given from Standard Input in the following format:</p>
<pre><var>N</var> <var>K</var>
<var>A_1</var> <var>A_2</var> <var>\ldots</var> <var>A_N</var>
</pre>
</section>
<section>
<h3>Output</h3>
<p>Print the largest possible number of hours.</p>
</section>
<hr/>
<section>
<h3>Sample Input 1</h3>
<pre>3 2
3 3 3
</pre>
</section>
<section>
<h3>Sample Output 1</h3>
<pre>4
</pre>
<p>Lanterns <var>\{1, 2\}</var>, <var>\{1, 3\}</var>, <var>\{2, 3\}</var> and then <var>\{1, 2\}</var> again. One cup is left over in lantern <var>3</var>, and one lantern is not enough.</p>
</section>
<section>
<h3>Sample Input 2</h3>
<pre>4 3
1 1 1 9
</pre>
</section>
<section>
<h3>Sample Output 2</h3>
<pre>1
</pre>
<p>There are <var>12</var> cups in all, but they are in the wrong places.</p>
</section>
<section>
<h3>Sample Input 3</h3>
<pre>6 2
1000000000 999999999 5 4 3 0
</pre>
</section>
<section>
<h3>Sample Output 3</h3>
<pre>1000000005
</pre>
</section>
</span>`,
    content_cn: null,
    similar_questions: [],
  },
  {
    id: 'lan018_e',
    source: 'lantern',
    slug: 'bridges-at-high-tide',
    title: 'Bridges at High Tide',
    title_cn: null,
    difficulty: null,
    ac_rate: null,
    rating: null,
    contest: 'lan018',
    problem_index: 'E',
    tags: ['graph', 'union find', 'offline queries'],
    link: 'https://lantern.example/contests/lan018/tasks/lan018_e',
    category: 'LAN',
    paid_only: 0,
    content: String.raw`<span class="lang-en">
<p>Score : <var>500</var> points</p>
<section>
<h3>Problem Statement</h3>
<p>An archipelago has <var>N</var> islands and <var>M</var> footbridges. Bridge <var>i</var> joins islands <var>U_i</var> and <var>V_i</var>, and its deck is <var>H_i</var> centimetres above the sea bed. When the water stands at level <var>t</var>, a bridge can be walked, in both directions, only if <var>H_i &gt; t</var>.</p>
<p><img src="../img/lan018_e.png" alt="Five islands in a row, joined by bridges of height 3, 8, 2 and 5"/></p>
<p>The postman asks <var>Q</var> questions. In question <var>j</var> he stands on island <var>X_j</var> while the water is at level <var>L_j</var>, and wants to know how many islands, the one under his feet included, he can reach on foot.</p>
</section>
<section>
<h3>Constraints</h3>
<ul>
<li><var>2 \leq N \leq 2 \times 10^5</var></li>
<li><var>1 \leq M, Q \leq 2 \times 10^5</var></li>
<li><var>1 \leq U_i, V_i \leq N</var>, <var>U_i \neq V_i</var></li>
<li><var>1 \leq X_j \leq N</var></li>
<li><var>0 \leq H_i, L_j \leq 10^9</var></li>
</ul>
</section>
<hr/>
<section>
<h3>Input</h3>
<p>The input is given from Standard Input in the following format:</p>
<pre><var>N</var> <var>M</var> <var>Q</var>
<var>U_1</var> <var>V_1</var> <var>H_1</var>
<var>\vdots</var>
<var>U_M</var> <var>V_M</var> <var>H_M</var>
<var>X_1</var> <var>L_1</var>
<var>\vdots</var>
<var>X_Q</var> <var>L_Q</var>
</pre>
</section>
<section>
<h3>Output</h3>
<p>Print <var>Q</var> lines. Line <var>j</var> holds the answer to question <var>j</var>.</p>
</section>
<hr/>
<section>
<h3>Sample Input 1</h3>
<pre>5 4 4
1 2 3
2 3 8
3 4 2
4 5 5
3 0
3 2
3 3
5 8
</pre>
</section>
<section>
<h3>Sample Output 1</h3>
<pre>5
3
2
1
</pre>
<p>This is the archipelago in the picture. At level <var>0</var> everything is connected. At level <var>2</var> the third bridge is under water. At level <var>3</var> the first one is gone too, and from island <var>3</var> only island <var>2</var> is left. At level <var>8</var> the postman stays where he is.</p>
</section>
<section>
<h3>Sample Input 2</h3>
<pre>3 4 2
1 2 10
2 1 20
2 3 15
3 1 5
3 12
1 15
</pre>
</section>
<section>
<h3>Sample Output 2</h3>
<pre>3
2
</pre>
</section>
</span>`,
    content_cn: null,
    similar_questions: [],
  },
];
