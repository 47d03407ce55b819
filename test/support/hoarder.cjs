// Loaded into a program with `--require`: at SIGUSR2 it opens as many files as it may but for SPARE, at the next one it lets them go.
'use strict';
const { closeSync, openSync } = require('node:fs');
let open = [];
process.on('SIGUSR2', () => {
  if (open.length > 0) {
    for (const fd of open) closeSync(fd);
    open = [];
    process.stderr.write('let go\n');
    return;
  }
  try {
    for (;;) open.push(openSync('/dev/null'));
  } catch ({ code }) {
    for (const fd of open.splice(0, Number(process.env.SPARE))) closeSync(fd);
    process.stderr.write(`hoarded until ${code}\n`);
  }
});
