// A thread that judges answers; reading both sides costs more than making them.
import { parentPort } from 'node:worker_threads';
import { judge } from './read.mjs';

parentPort.on('message', tasks => parentPort.postMessage(tasks.map(judge)));
