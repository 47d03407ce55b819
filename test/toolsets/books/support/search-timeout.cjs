// A server that loads this module ends each search after its third file, regardless of the speed of the machine.
'use strict';
const { Worker } = require('node:worker_threads');

const limitMs = 10_000;
const filesUntilTimeout = 3;
let end;
let files = 0;
const { setTimeout } = globalThis;
globalThis.setTimeout = (work, ms, ...rest) => {
  if (ms === limitMs) {
    end = work;
    files = 0;
  }
  return setTimeout(work, ms, ...rest);
};
const real = Object.getOwnPropertyDescriptor(Worker.prototype, 'postMessage').value;
Worker.prototype.postMessage = function count(message, ...rest) {
  if (message?.bytes !== undefined && ++files > filesUntilTimeout) {
    setTimeout(end, 0);
    return undefined;
  }
  return real.call(this, message, ...rest);
};
