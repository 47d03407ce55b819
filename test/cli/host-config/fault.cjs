// Makes a file operation fail in a process that loads this file with `--require`. The variable FAULT contains `kill N`
// (SIGKILL before operation N, or in the middle of a write) or `full N` (the disk is full from operation N on).
'use strict';
const fs = require('node:fs');

const [kind, number] = (process.env.FAULT ?? '').split(' ');
let step = 0;

function failAt(name, partly) {
  const real = fs[name];
  fs[name] = (...args) => {
    step++;
    if (kind === 'kill' && step === Number(number)) {
      partly?.(...args);
      process.kill(process.pid, 'SIGKILL');
    }
    if (kind === 'full' && step >= Number(number) && name === 'writeFileSync') {
      partly?.(...args);
      throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC', syscall: 'write' });
    }
    return real(...args);
  };
}

const { writeSync } = fs;
for (const name of ['mkdirSync', 'rmSync', 'openSync', 'fchmodSync', 'fsyncSync', 'closeSync', 'renameSync'])
  failAt(name);
failAt('writeFileSync', (descriptor, text) => writeSync(descriptor, text.slice(0, text.length / 2)));
process.on('exit', () => process.stderr.write(`steps: ${step}\n`));
