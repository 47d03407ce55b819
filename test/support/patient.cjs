// Loaded into a program with `--require`: nothing is given up for taking a second or more, so that calls which are in flight
// at the end of its input are answered however busy the machine is.
'use strict';
const { setTimeout: real } = globalThis;
const patient = (work, ms, ...args) => real(work, ms >= 1000 ? 1_800_000 : ms, ...args);
globalThis.setTimeout = Object.assign(patient, real);
