// Loaded into a program with `--require`. It disables timeouts of a second or more, so that calls that are pending at
// the end of the input are answered even on a busy machine.
'use strict';
const { setTimeout: real } = globalThis;
const withLongTimeout = (work, ms, ...args) => real(work, ms >= 1000 ? 1_800_000 : ms, ...args);
globalThis.setTimeout = Object.assign(withLongTimeout, real);
