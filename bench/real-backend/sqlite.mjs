// Runs statements on a database in one transaction: node sqlite.mjs DATABASE EXTENSION, and on standard input [[sql,
// parameters], …]. A parameter {vector: text} becomes the vector of this text. It needs Node 22.5 or newer.
import { readFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { vectorOf } from './vector.mjs';

const [, , file, extension] = process.argv;
const database = new DatabaseSync(file, { allowExtension: true });
database.loadExtension(extension);
database.exec('PRAGMA busy_timeout = 5000; BEGIN IMMEDIATE');
for (const [sql, parameters] of JSON.parse(readFileSync(0, 'utf8'))) {
  database.prepare(sql).run(...parameters.map(toParameter));
}
database.exec('COMMIT');
database.close();

function toParameter(value) {
  return typeof value?.vector === 'string' ? new Uint8Array(vectorOf(value.vector).buffer) : value;
}
