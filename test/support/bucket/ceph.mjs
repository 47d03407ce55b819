// A real S3 server on loopback: Ceph's gateway with one monitor and one disk in memory.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, mkdirSync, openSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import https from 'node:https';
import net from 'node:net';
import { arch } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import aws4 from 'aws4';
import { fetchPackages, firstLine, home, root } from './packages.mjs';

const wantedPort = process.env['BOOKS_STORE_PORT'];
const portCount = 10;
/** The folder belongs to this process, because another process may run a store at the same time. */
const run = path.join(home, `run-${process.pid}`);
const libraries = path.join(root, 'usr/lib', `${arch() === 'arm64' ? 'aarch64' : 'x86_64'}-linux-gnu`);
const clusterId = '0b00c5a0-0000-4000-8000-00000000b00c';
/** The timeout is long, because a busy machine is slow. It only ends a start that never completes. */
const upMs = 240_000;
const tries = 3;

export const store = {
  /** The endpoint is defined after the store has started. */
  endpoint: '',
  bucket: 'library',
  region: 'default',
  accessKeyId: 'bookstesterkey000001',
  secretAccessKey: 'bookstestersecret0000000000000000000001',
};

/** Starts a new and empty store. The first start downloads a hundred megabytes. */
export async function startStore() {
  if (wantedPort !== undefined && !(await areFree(Number(wantedPort))))
    throw new Error(`BOOKS_STORE_PORT=${wantedPort}: of ${portCount} ports from there on, one is taken`);
  fetchPackages();
  await removeRuns();
  for (let count = 1; ; count++) {
    try {
      await bringUp(wantedPort === undefined ? await freePorts() : Number(wantedPort));
      return;
    } catch (error) {
      const story = lastWords();
      await removeRun(run);
      console.error(`Ceph does not come up (${count} of ${tries}): ${firstLine(error)}\n${story}`);
      if (count === tries) throw new Error('Ceph does not come up here', { cause: error });
    }
  }
}

/**
 * Returns whether all programs of the store still run. If one of them has ended, later errors are not failures of the
 * tested program.
 */
export function isStoreAlive() {
  const pids = pidsIn(run);
  return pids.length === 3 && pids.every(isOurs);
}

async function bringUp(port) {
  store.endpoint = `http://127.0.0.1:${port}`;
  for (const folder of ['mon', 'osd', 'log']) mkdirSync(path.join(run, folder), { recursive: true });
  guard();
  writeFileSync(path.join(run, 'ceph.conf'), configuration(port));
  await makeCluster(port);
  start('mon', 'ceph-mon', ['-f', '-i', 'a']);
  await execute('ceph-osd', ['--mkfs', '-i', '0', '--osd-uuid', clusterId]);
  start('osd', 'ceph-osd', ['-f', '-i', '0']);
  start('rgw', 'radosgw', ['-f', '-n', 'client.rgw']);
  await answering();
  const names = ['--uid', 'tester', '--display-name', 'tester'];
  const keys = ['--access-key', store.accessKeyId, '--secret-key', store.secretAccessKey];
  await execute('radosgw-admin', ['-n', 'client.rgw', 'user', 'create', ...names, ...keys]);
  await makeBucket(store);
  // Another process may have taken the port since, so that the response may come from this process.
  if (!isStoreAlive()) throw new Error('one of its programs has ended');
}

/** Creates the bucket in a store. An existing bucket is accepted. */
export async function makeBucket(of) {
  const status = await send(of, 'PUT', `/${of.bucket}`);
  if (status !== 200 && status !== 409) throw new Error(`the bucket ${of.bucket} could not be made: ${status}`);
}

export async function stopStore() {
  await removeRun(run);
}

/** Removes the folders of this process, and those of processes that were killed. */
async function removeRuns() {
  for (const name of readdirSync(home)) {
    const owner = /^(?:new|run)-(\d+)$/.exec(name)?.[1];
    if (owner === String(process.pid) || (owner !== undefined && !existsSync(`/proc/${owner}`)))
      await removeRun(path.join(home, name));
  }
}

async function removeRun(folder) {
  const pids = pidsIn(folder).filter(isOurs);
  for (const pid of pids) process.kill(pid, 'SIGKILL'); // nothing of it is worth keeping
  while (pids.some(isOurs)) await pause(20);
  rmSync(folder, { recursive: true, force: true });
}

let isGuarded = false;

/** Ends the store when this process has ended for any reason: the other end of its stdin is then closed. */
function guard() {
  if (isGuarded) return;
  isGuarded = true;
  const script = `cat
    for file in "$0"/*.pid; do
      pid=$(cat "$file") && grep -qsF "$1" "/proc/$pid/cmdline" && kill -9 "$pid"
    done
    rm -rf "$0"`;
  const child = spawn('sh', ['-c', script, run, root], { stdio: ['pipe', 'ignore', 'ignore'], detached: true });
  child.unref();
  child.stdin.unref();
}

function pidsIn(folder) {
  if (!existsSync(folder)) return [];
  const names = readdirSync(folder).filter(name => name.endsWith('.pid'));
  return names.map(name => Number(readFileSync(path.join(folder, name), 'utf8')));
}

/** The process id may belong to another process now. */
function isOurs(pid) {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(root);
  } catch {
    return false;
  }
}

function configuration(port) {
  return `[global]
fsid = ${clusterId}
mon host = v1:127.0.0.1:${port + 1}
public addr = 127.0.0.1
cluster addr = 127.0.0.1
auth cluster required = none
auth service required = none
auth client required = none
ms bind msgr2 = false
ms bind port min = ${port + 2}
ms bind port max = ${port + 9}
run dir = ${run}
admin socket =
log file = ${run}/log/$name.log
crash dir = ${run}
plugin dir = ${libraries}/ceph
erasure code dir = ${libraries}/ceph/erasure-code
osd class dir = ${libraries}/rados-classes
osd pool default size = 1
osd pool default min size = 1
osd pool default pg num = 1
osd pool default pgp num = 1
osd pool default pg autoscale mode = off
osd crush chooseleaf type = 0
osd crush update on start = false
osd class update on start = false
mon allow pool size one = true
mon max pg per osd = 500
mon data avail crit = 1
mon data avail warn = 1
mon data = ${run}/mon
osd data = ${run}/osd
osd objectstore = memstore
memstore device bytes = 4294967296
setuser match path =
[client.rgw]
rgw frontends = beast endpoint=127.0.0.1:${port} tcp_nodelay=1
rgw rados pool pg num min = 1
rgw enable usage log = false
`;
}

async function makeCluster(port) {
  const [monitors, disks] = [path.join(run, 'monmap'), path.join(run, 'osdmap')];
  const monitor = ['--addv', 'a', `[v1:127.0.0.1:${port + 1}]`, '--fsid', clusterId];
  await execute('monmaptool', ['--create', '--clobber', ...monitor, monitors]);
  await execute('osdmaptool', ['--createsimple', '1', '--clobber', disks]);
  await execute('ceph-mon', ['--mkfs', '-i', 'a', '--monmap', monitors, '--osdmap', disks, '--fsid', clusterId]);
}

/** Returns the command line that runs a program with the loader and the libraries of its own packages. */
function commandLine(program, args) {
  const loader = readdirSync(libraries).find(name => /^ld-linux-.*\.so/.test(name)) ?? '';
  const paths = ['--library-path', `${libraries}:${libraries}/ceph`, '--argv0', program];
  return [path.join(libraries, loader), [...paths, path.join(root, 'usr/bin', program), ...args]];
}

const env = { ...process.env, CEPH_CONF: path.join(run, 'ceph.conf') };

async function execute(program, args) {
  const child = start(program, program, args);
  const timer = setTimeout(() => child.kill('SIGKILL'), upMs);
  const [code, signal] = await once(child, 'exit');
  clearTimeout(timer);
  if (code !== 0) throw new Error(`${program} has ended with ${code ?? signal}`);
  rmSync(pidFile(program));
}

/**
 * Starts a program. Its output is written into a file, because a pipe that is not read would fill up and block the
 * program.
 */
function start(name, program, args) {
  const [file, all] = commandLine(program, args);
  const log = openSync(path.join(run, 'log', `${name}.out`), 'w');
  const child = spawn(file, all, { env, stdio: ['ignore', log, log], detached: true });
  closeSync(log);
  child.on('error', () => {}); // said below
  if (child.pid === undefined) throw new Error(`${program} cannot be run`);
  writeFileSync(pidFile(name), String(child.pid));
  child.unref();
  return child;
}

function pidFile(name) {
  return path.join(run, `${name}.pid`);
}

/** Returns the last lines of the logs of all programs. */
function lastWords() {
  const folder = path.join(run, 'log');
  if (!existsSync(folder)) return '';
  return readdirSync(folder)
    .map(name => `${name}:\n${readFileSync(path.join(folder, name), 'utf8').slice(-1000)}`)
    .join('\n');
}

async function answering() {
  for (const end = Date.now() + upMs; Date.now() < end; await pause(100)) {
    if ((await send(store, 'GET', '/').catch(() => 0)) !== 0) return;
    if (!isStoreAlive()) throw new Error('one of its programs has ended');
  }
  throw new Error('it does not answer');
}

/** Returns the first of several consecutive free ports, as many as the store needs. */
async function freePorts() {
  for (;;) {
    const first = 20_000 + Math.floor(Math.random() * 10_000);
    if (await areFree(first)) return first;
  }
}

async function areFree(first) {
  const all = Array.from({ length: portCount }, (_, index) => isFree(first + index));
  return (await Promise.all(all)).every(Boolean);
}

async function isFree(number) {
  if (number > 65_535) return false;
  return await new Promise(resolve => {
    const probe = net.createServer();
    probe.once('error', () => resolve(false));
    probe.listen(number, '127.0.0.1', () => probe.close(() => resolve(true)));
  });
}

async function send({ endpoint, region, accessKeyId, secretAccessKey }, method, target) {
  const { protocol, host, hostname, port: number } = new URL(endpoint);
  const request = { service: 's3', region, method, path: target, headers: { host } };
  const { headers } = aws4.sign(request, { accessKeyId, secretAccessKey });
  const { request: begin } = protocol === 'https:' ? https : http;
  return await new Promise((resolve, reject) => {
    const sent = begin({ method, hostname, port: number, path: target, headers, agent: false }, response => {
      response.resume();
      response.on('end', () => resolve(response.statusCode));
    });
    sent.on('error', reject);
    sent.setTimeout(upMs / 10, () => sent.destroy(new Error('no answer')));
    sent.end();
  });
}
