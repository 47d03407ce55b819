// Loaded into a program with `--require`. At the signal SIGUSR2 it opens all files that it may open except SPARE, and
// at the next one it closes them.
'use strict';
const { closeSync, openSync } = require('node:fs');
let open = [];
let timer;
process.on('SIGUSR2', () => {
  if (timer !== undefined) {
    clearInterval(timer);
    timer = undefined;
    for (const fd of open) closeSync(fd);
    open = [];
    process.stderr.write('closed the files\n');
    return;
  }
  // A thread that has just ended closes its files a little later, so that these descriptors are used too.
  let quiet = 0;
  timer = setInterval(() => {
    const before = open.length;
    const code = take();
    quiet = open.length > before ? 0 : quiet + 1;
    if (quiet !== 20) return;
    if (process.env.SPARE > 0) clearInterval(timer);
    for (const fd of open.splice(0, Number(process.env.SPARE))) closeSync(fd);
    process.stderr.write(`opened files until ${code}\n`);
  }, 5);
});

function take() {
  try {
    for (;;) open.push(openSync('/dev/null'));
  } catch ({ code }) {
    return code;
  }
}
