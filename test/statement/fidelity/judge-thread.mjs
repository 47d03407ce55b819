// This thread compares outputs with their sources, which takes more time than the conversion.
import { parentPort } from 'node:worker_threads';
import { judge } from './read.mjs';

parentPort.on('message', tasks => parentPort.postMessage(tasks.map(judge)));
