// A real S3 server on loopback: Ceph's gateway with one monitor and one disk in memory, out of Debian's packages, which
// are unpacked into a folder and run from there: nothing is installed, and no rights are needed.
import { execFileSync, spawn } from 'node:child_process';
import {
  createWriteStream,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import http from 'node:http';
import https from 'node:https';
import net from 'node:net';
import { arch, tmpdir, userInfo } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import aws4 from 'aws4';

const home = process.env['BOOKS_STORE_FOLDER'] ?? path.join(tmpdir(), 'oj-mcp-store');
const port = await freePorts(process.env['BOOKS_STORE_PORT']);
const suite = 'sid'; // the only one whose Ceph keeps conditions on uploads in parts
const root = path.join(home, 'root');
/** Of this process alone: another one may be at it beside us. */
const run = path.join(home, `run-${process.pid}`);
const libraries = path.join(root, 'usr/lib', `${arch() === 'arm64' ? 'aarch64' : 'x86_64'}-linux-gnu`);
const clusterId = '0b00c5a0-0000-4000-8000-00000000b00c';
/** Only for what hangs: a busy machine takes its time. */
const upMs = 600_000;
const tries = 3;

export const store = {
  endpoint: `http://127.0.0.1:${port}`,
  bucket: 'library',
  region: 'default',
  accessKeyId: 'bookstesterkey000001',
  secretAccessKey: 'bookstestersecret0000000000000000000001',
};

/** The store cannot be had here, or not be brought up: that is no fault of what is to be tried on it. */
export class OutOfReach extends Error {}

/** Brings it up, new and empty; a hundred megabytes are fetched the first time. */
export async function startStore() {
  if (!existsSync(path.join(root, '.complete'))) fetchPackages();
  try {
    await removeRuns();
    await bringUp();
  } catch (error) {
    throw new OutOfReach(`Ceph does not come up here: ${firstLine(error)}`, { cause: error });
  }
}

/** Whether all of it still runs: what a store does that has died is nobody's fault but its own. */
export function isStoreAlive() {
  const pids = pidsIn(run);
  return pids.length === 3 && pids.every(isOurs);
}

async function bringUp() {
  for (const folder of ['mon', 'osd', 'log']) mkdirSync(path.join(run, folder), { recursive: true });
  writeFileSync(path.join(run, 'ceph.conf'), configuration());
  makeCluster();
  start('mon', 'ceph-mon', ['-f', '-i', 'a']);
  execute('ceph-osd', ['--mkfs', '-i', '0', '--osd-uuid', clusterId]);
  start('osd', 'ceph-osd', ['-f', '-i', '0']);
  start('rgw', 'radosgw', ['-f', '-n', 'client.rgw']);
  await answering();
  const { accessKeyId, secretAccessKey } = store;
  const user = [
    '--uid',
    'tester',
    '--display-name',
    'tester',
    '--access-key',
    accessKeyId,
    '--secret-key',
    secretAccessKey,
  ];
  execute('radosgw-admin', ['-n', 'client.rgw', 'user', 'create', ...user]);
  await makeBucket(store);
}

/** In any store; one that is there already is as good. */
export async function makeBucket(of) {
  const status = await send(of, 'PUT', `/${of.bucket}`);
  if (status !== 200 && status !== 409) throw new Error(`the bucket ${of.bucket} could not be made: ${status}`);
}

export async function stopStore() {
  await removeRun(run);
}

/** Ours, and those of processes that were killed before they could end theirs. */
async function removeRuns() {
  for (const name of readdirSync(home)) {
    const owner = /^run-(\d+)$/.exec(name)?.[1];
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

function pidsIn(folder) {
  if (!existsSync(folder)) return [];
  const names = readdirSync(folder).filter(name => name.endsWith('.pid'));
  return names.map(name => Number(readFileSync(path.join(folder, name), 'utf8')));
}

/** A number may have gone to another process since. */
function isOurs(pid) {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(root);
  } catch {
    return false;
  }
}

/** Mirrors break off, and the suite changes while they are read: what fails is tried again from its beginning. */
function fetchPackages() {
  for (let count = 1; ; count++) {
    try {
      unpackPackages();
      return;
    } catch (error) {
      if (count === tries)
        throw new OutOfReach(`Debian's packages cannot be had here: ${firstLine(error)}`, { cause: error });
    }
  }
}

function unpackPackages() {
  const apt = path.join(home, 'apt');
  for (const folder of ['lists/partial', 'archives/partial', 'packages'])
    mkdirSync(path.join(apt, folder), { recursive: true });
  writeFileSync(path.join(apt, 'status'), '');
  const env = { ...process.env, APT_CONFIG: path.join(apt, 'apt.conf') };
  const stdio = ['ignore', 'pipe', 'pipe'];
  const aptGet = (args, cwd = apt) =>
    execFileSync('apt-get', ['-qq', ...args], { env, cwd, encoding: 'utf8', stdio, timeout: upMs });
  writeFileSync(path.join(apt, 'sources.list'), `deb [signed-by=${keyring()}] ${mirror()} ${suite} main\n`);
  writeFileSync(env.APT_CONFIG, aptConfiguration(apt));
  // Without the option an index that cannot be fetched is only a warning.
  aptGet(['-o', 'APT::Update::Error-Mode=any', 'update']);
  const wanted = ['ceph-mon', 'ceph-osd', 'radosgw'];
  const names = aptGet(['--print-uris', 'install', ...wanted])
    .split('\n')
    .map(line => line.split(' ')[1]?.split('_')[0])
    .filter(name => name !== undefined && !isForAdministrators(name));
  const packages = path.join(apt, 'packages');
  aptGet(['download', ...names], packages);
  for (const folder of ['bin', 'sbin', 'lib', 'lib64']) {
    mkdirSync(path.join(root, 'usr', folder), { recursive: true });
    if (!existsSync(path.join(root, folder))) symlinkSync(`usr/${folder}`, path.join(root, folder));
  }
  for (const name of readdirSync(packages)) {
    let tar;
    try {
      tar = execFileSync('dpkg-deb', ['--fsys-tarfile', name], { cwd: packages, maxBuffer: 2 ** 31, stdio });
    } catch (error) {
      rmSync(path.join(packages, name)); // half of one, which is fetched again
      throw error;
    }
    const left = ['doc', 'man', 'locale'].map(folder => `--exclude=./usr/share/${folder}`);
    execFileSync('tar', ['-x', '-C', root, ...left], { input: tar });
  }
  rmSync(apt, { recursive: true });
  writeFileSync(path.join(root, '.complete'), '');
}

/** Of the packages that the three want, those that only install, configure and observe. */
function isForAdministrators(name) {
  return /^(?:python|libpython|perl|libperl|systemd|libsystemd-shared|binutils|libbinutils|sudo|cryptsetup|lvm2|parted|smartmontools|logrotate|nvme|xfsprogs|tzdata|debconf|dpkg|tar|coreutils)/.test(
    name,
  );
}

function keyring() {
  const found = ['pgp', 'gpg']
    .map(end => `/usr/share/keyrings/debian-archive-keyring.${end}`)
    .find(file => existsSync(file));
  if (found === undefined) throw new Error('the package debian-archive-keyring is missing');
  return found;
}

/** The one that this system has its own packages from. */
function mirror() {
  const targets = execFileSync('apt-get', ['indextargets', '--format', '$(REPO_URI)'], { encoding: 'utf8' });
  const [first] = targets
    .split('\n')
    .filter(line => /^https?:/.test(line) && !line.includes('security'))
    .sort();
  if (first === undefined) throw new Error('apt has no sources');
  return first;
}

function aptConfiguration(apt) {
  const places = { 'Dir::State': apt, 'Dir::State::lists': `${apt}/lists`, 'Dir::State::status': `${apt}/status` };
  const settings = {
    ...places,
    'Dir::Cache': apt,
    'Dir::Cache::archives': `${apt}/archives`,
    'Dir::Etc::sourcelist': `${apt}/sources.list`,
    'Dir::Etc::sourceparts': '/dev/null',
    'Dir::Etc::preferences': '/dev/null',
    'Dir::Etc::preferencesparts': '/dev/null',
    'APT::Install-Recommends': 'false',
    'APT::Sandbox::User': userInfo().username,
    'Acquire::Languages': 'none',
    'Acquire::Retries': '3',
    'Acquire::http::Timeout': '20',
    'Acquire::https::Timeout': '20',
    'Debug::NoLocking': 'true',
  };
  return Object.entries(settings)
    .map(([name, value]) => `${name} "${value}";\n`)
    .join('');
}

function configuration() {
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

function makeCluster() {
  const [monitors, disks] = [path.join(run, 'monmap'), path.join(run, 'osdmap')];
  execute('monmaptool', [
    '--create',
    '--clobber',
    '--addv',
    'a',
    `[v1:127.0.0.1:${port + 1}]`,
    '--fsid',
    clusterId,
    monitors,
  ]);
  execute('osdmaptool', ['--createsimple', '1', '--clobber', disks]);
  execute('ceph-mon', ['--mkfs', '-i', 'a', '--monmap', monitors, '--osdmap', disks, '--fsid', clusterId]);
}

/** By the loader of their own packages, with their own libraries. */
function commandLine(program, args) {
  const loader = readdirSync(libraries).find(name => /^ld-linux-.*\.so/.test(name)) ?? '';
  const paths = ['--library-path', `${libraries}:${libraries}/ceph`, '--argv0', program];
  return [path.join(libraries, loader), [...paths, path.join(root, 'usr/bin', program), ...args]];
}

const env = { ...process.env, CEPH_CONF: path.join(run, 'ceph.conf') };

function execute(program, args) {
  const [file, all] = commandLine(program, args);
  execFileSync(file, all, { env, encoding: 'utf8', stdio: ['ignore', 'ignore', 'pipe'], timeout: upMs });
}

function start(name, program, args) {
  const [file, all] = commandLine(program, args);
  const child = spawn(file, all, { env, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
  const log = createWriteStream(path.join(run, 'log', `${name}.out`));
  child.stdout.pipe(log);
  child.stderr.pipe(log);
  child.unref();
  for (const stream of [child.stdout, child.stderr]) stream.unref();
  writeFileSync(path.join(run, `${name}.pid`), String(child.pid));
}

async function answering() {
  for (const end = Date.now() + upMs; Date.now() < end; await pause(100)) {
    if ((await send(store, 'GET', '/').catch(() => 0)) !== 0) return;
    if (!isStoreAlive()) throw new Error('one of its programs has ended');
  }
  throw new Error('it does not answer');
}

function firstLine(error) {
  const told = error instanceof Error && typeof error.stderr === 'string' ? error.stderr.trim() : '';
  return (told || (error instanceof Error ? error.message : String(error))).split('\n', 1)[0];
}

/** The first of as many ports in a row as the store needs: those that are wanted, or some that are free now. */
async function freePorts(wanted) {
  if (wanted !== undefined) return Number(wanted);
  for (;;) {
    const first = 20_000 + Math.floor(Math.random() * 10_000);
    const all = Array.from({ length: 10 }, (_, index) => isFree(first + index));
    if ((await Promise.all(all)).every(Boolean)) return first;
  }
}

async function isFree(number) {
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
