// Draws a bar chart of the time from the start to the response to initialize.
import { ourName } from './candidates.mjs';
import { quantile } from './sample.mjs';
import { figure } from './table.mjs';

const [left, width, right, rowHeight, top] = [170, 430, 80, 30, 46];

/** Returns a chart with one bar per candidate, for the first Node version, sorted by time. */
export function startChart({ start: [{ version, startMs }] }) {
  const rows = Object.entries(startMs).map(([name, samples]) => ({ name, ms: quantile(samples, 0.1) }));
  return barChart(`Start → answer to initialize, ms (p10, Node ${version})`, rows);
}

export function barChart(title, rows) {
  const sorted = [...rows].sort((one, other) => one.ms - other.ms);
  const longest = sorted.at(-1).ms;
  const bars = sorted.map(({ name, ms }, index) => {
    const y = top + index * rowHeight;
    const length = Math.max(1, (ms / longest) * width);
    return `  <text x="${left - 10}" y="${y + 15}" text-anchor="end">${escaped(name)}</text>
  <rect x="${left}" y="${y}" width="${length.toFixed(1)}" height="20" rx="2"${name.startsWith(ourName) ? ' class="own"' : ''}/>
  <text x="${(left + length + 8).toFixed(1)}" y="${y + 15}">${figure(ms)}</text>`;
  });
  const size = `width="${left + width + right}" height="${top + sorted.length * rowHeight + 8}"`;
  return `<svg xmlns="http://www.w3.org/2000/svg" ${size} role="img" aria-label="${escaped(title)}">
  <style>
    text { font: 14px system-ui, sans-serif; fill: #1f2328 }
    rect { fill: #9aa4af }
    .own { fill: #1a7f37 }
    @media (prefers-color-scheme: dark) { text { fill: #e6edf3 } rect { fill: #6e7681 } .own { fill: #3fb950 } }
  </style>
  <text x="10" y="24" style="font-weight: 600">${escaped(title)}</text>
${bars.join('\n')}
</svg>
`;
}

function escaped(text) {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
