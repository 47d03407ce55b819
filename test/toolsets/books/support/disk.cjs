// Injects disk faults into servers that load this file with `--require`.
// The environment variable DISK_PLAN contains the plan as JSON:
//   root    the library; only steps inside of it count
//   log     file that gets one line for each step
//   killAt  sends SIGKILL before the step with this number; a write is torn in the middle
//   cutAt   simulates a power failure before the step with this number: the folder `survived` gets the remaining data
//   eager   with cutAt and cutStates: names are on the disk at once, only contents wait for a sync
//   killStates  folder that gets the state of the library before each step, as `killAt` would leave it. The numbers of
//           the steps are the names of the states, and the last one is the state at the exit. The file `responses`
//           gets a line for each response to a call: the number of steps before it.
//   cutStates   the same, as `cutAt` would leave it
//   lie     kinds of sync that report success and do nothing: file, journal, folder
//   stopAt  sends SIGSTOP before the first step with this name
//   refuse  [{ step, code, path?, times?, torn? }]: steps that fail, always or so many times, half done or not started;
//           the step `read` is the opening of an existing file
//   platform    the value of process.platform
//   hidden  the processes of others are invisible
//   ignoreCase  names that differ only in case are the same file
//   aged    the apparent age of files with these names, in milliseconds
//   meddle  { path, times, grows? }: another program that overwrites or extends this file after each read
//   ticks   the clock advances by so many milliseconds with each reading, and not otherwise
//   pace    the speed of the clock for waiting times; a high value is for locks that are never released
//   umask   the umask of the process
//   noLock  acquiring the lock always succeeds        noRecheck  the lock always looks like the own one
'use strict';
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');

/** A torn write of a whole file writes this number of bytes. */
const tornBytes = 20;

const plan = JSON.parse(process.env.DISK_PLAN ?? '{}');
const real = { ...fs };
const root = plan.root;
let step = 0;
let ticket;
let hasStopped = false;
/** True while this file itself uses the disk, so that no fault is injected. */
let isOwn = false;
function own(work) {
  isOwn = true;
  try {
    return work();
  } finally {
    isOwn = false;
  }
}

const descriptors = /^\/proc\/self\/fd\/(\d+)/;
function resolved(file) {
  const match = descriptors.exec(file);
  return match === null ? file : file.replace(descriptors, real.readlinkSync(`/proc/self/fd/${match[1]}`));
}
function placeOf(target) {
  if (typeof target === 'string') return resolved(target);
  if (typeof target !== 'number') return '';
  try {
    return real.readlinkSync(`/proc/self/fd/${target}`);
  } catch {
    return '';
  }
}
const isInside = place => root !== undefined && (place === root || place.startsWith(`${root}/`));

// The following functions track the contents that survive a power failure.
const contents = new Map();
const folders = new Map();
const identity = stat => `${stat.ino} ${stat.birthtimeNs}`;
const look = file => real.lstatSync(file, { bigint: true });
function keepFolder(folder, isDeep) {
  const names = new Map();
  for (const name of real.readdirSync(folder)) {
    const file = path.join(folder, name);
    const stat = look(file);
    names.set(name, { id: identity(stat), isFolder: stat.isDirectory() });
    if (isDeep && stat.isDirectory()) keepFolder(file, true);
    else if (isDeep && stat.isFile()) contents.set(identity(stat), real.readFileSync(file));
  }
  folders.set(identity(look(folder)), names);
}
function writeStateAfterCut(survived) {
  const rebuild = (id, folder, now) => {
    real.mkdirSync(folder, { recursive: true });
    const names = plan.eager && now !== undefined ? namesNow(now) : (folders.get(id) ?? new Map());
    for (const [name, entry] of names) {
      const file = path.join(folder, name);
      if (entry.isFolder) rebuild(entry.id, file, now && path.join(now, name));
      else real.writeFileSync(file, contents.get(entry.id) ?? '');
    }
  };
  rebuild(identity(look(root)), survived, plan.eager ? root : undefined);
}
function namesNow(folder) {
  const names = new Map();
  for (const name of real.readdirSync(folder)) {
    const stat = look(path.join(folder, name));
    names.set(name, { id: identity(stat), isFolder: stat.isDirectory() });
  }
  return names;
}
const isCut = plan.cutAt !== undefined || plan.cutStates !== undefined;
if (isCut) keepFolder(root, true);

// The following functions store the states of a library in which no fault occurs.
const states = plan.killStates ?? plan.cutStates;
function storeState(number) {
  const folder = path.join(states, String(number));
  if (plan.cutStates !== undefined) writeStateAfterCut(folder);
  else fs.cpSync(root, folder, { recursive: true });
}
if (states !== undefined) {
  const write = process.stdout.write.bind(process.stdout);
  process.stdout.write = (chunk, ...rest) => {
    if (String(chunk).includes('"structuredContent"')) {
      own(() => fs.appendFileSync(path.join(states, 'responses'), `${step}\n`));
    }
    return write(chunk, ...rest);
  };
  process.on('exit', () => own(() => storeState(step + 1)));
}

// The following functions apply the faults of a single disk operation.
/** Returns whether `tear` was called, so that the operation must only write the rest. */
function before(name, target, tear) {
  if (isOwn) return false;
  const place = placeOf(target);
  if (!isInside(place)) return false;
  step++;
  if (plan.log !== undefined) own(() => real.appendFileSync(plan.log, `${name} ${place.slice(root.length + 1)}\n`));
  if (plan.killAt === step) {
    own(() => tear?.());
    process.kill(process.pid, 'SIGKILL');
  }
  if (plan.cutAt === step) {
    own(() => tear?.());
    own(() => writeStateAfterCut(plan.survived));
    process.kill(process.pid, 'SIGKILL');
  }
  if (states !== undefined) {
    own(() => tear?.());
    own(() => storeState(step));
  }
  if (plan.stopAt === name && !hasStopped) {
    hasStopped = true;
    process.kill(process.pid, 'SIGSTOP');
  }
  refuse(name, place, tear);
  return states !== undefined && tear !== undefined;
}
function refuse(name, place, tear) {
  for (const rule of plan.refuse ?? []) {
    if (rule.step !== name || (rule.path !== undefined && !new RegExp(rule.path).test(place))) continue;
    if (rule.times !== undefined && rule.times-- <= 0) continue;
    if (rule.torn) own(() => tear?.());
    throw Object.assign(new Error(`${rule.code}: the test's disk refuses ${name}`), { code: rule.code, syscall: name });
  }
}

// The following functions simulate a file system that ignores case.
function asStored(file) {
  if (!plan.ignoreCase || typeof file !== 'string' || root === undefined) return file;
  const place = resolved(file);
  if (!place.toLowerCase().startsWith(root.toLowerCase())) return file;
  const parent = path.dirname(place);
  const name = path.basename(place);
  const names = own(() => real.readdirSync(parent));
  const stored = names.find(known => known.toLowerCase() === name.toLowerCase());
  return names.includes(name) || stored === undefined ? file : path.join(path.dirname(file), stored);
}
if (plan.platform !== undefined) Object.defineProperty(process, 'platform', { value: plan.platform });
if (plan.hidden) {
  fs.readFileSync = (file, ...rest) => {
    const [, pid] = /^\/proc\/(\d+)\/stat$/.exec(String(file)) ?? [];
    if (pid !== undefined && pid !== String(process.pid))
      throw Object.assign(new Error('hidden'), { code: 'ENOENT', syscall: 'open' });
    return real.readFileSync(file, ...rest);
  };
}
if (plan.ignoreCase) fs.lstatSync = (file, ...rest) => real.lstatSync(asStored(file), ...rest);
if (plan.aged !== undefined) {
  fs.lstatSync = (file, ...rest) => {
    const stat = real.lstatSync(file, ...rest);
    const ageMs = plan.aged[path.basename(file)];
    if (typeof stat?.ctimeMs === 'number' && ageMs !== undefined) stat.ctimeMs = Date.now() - ageMs;
    return stat;
  };
}
if (plan.meddle !== undefined) {
  const meddle = descriptor => {
    const place = placeOf(descriptor);
    if (!place.endsWith(plan.meddle.path) || plan.meddle.times-- <= 0) return;
    if (plan.log !== undefined) real.appendFileSync(plan.log, 'meddle\n');
    if (plan.meddle.grows) real.appendFileSync(place, 'x');
    else real.writeFileSync(place, `meddled, ${plan.meddle.times} to go\n`);
  };
  fs.readSync = (descriptor, ...rest) => {
    const count = real.readSync(descriptor, ...rest);
    if (count > 0) own(() => meddle(descriptor));
    return count;
  };
  fs.read = (descriptor, ...rest) => {
    const done = rest.pop();
    real.read(descriptor, ...rest, (...result) => {
      own(() => meddle(descriptor));
      done(...result);
    });
  };
}
if (plan.ticks !== undefined) {
  let now = 0;
  performance.now = () => (now += plan.ticks);
}
if (plan.pace !== undefined) {
  const now = performance.now.bind(performance);
  performance.now = () => now() * plan.pace;
}
if (plan.umask !== undefined) process.umask(plan.umask);

for (const name of ['mkdirSync', 'unlinkSync', 'ftruncateSync', 'fchmodSync', 'utimesSync', 'futimesSync']) {
  fs[name] = (target, ...rest) => {
    before(name, target);
    return real[name](asStored(target), ...rest);
  };
}
fs.renameSync = (from, to) => {
  before('renameSync', to);
  return real.renameSync(asStored(from), asStored(to));
};
fs.linkSync = (from, to) => {
  before('linkSync', to);
  if (plan.noLock && path.basename(to) === 'lock') return;
  real.linkSync(from, to);
};
fs.openSync = (file, flags, ...rest) => {
  const isLock = typeof file === 'string' && path.basename(file) === 'lock' && isInside(resolved(file));
  if (isLock && (plan.noLock || plan.noRecheck) && ticket !== undefined) return real.openSync(ticket, 'r');
  if (typeof flags === 'number' && (flags & fs.constants.O_CREAT) !== 0) before('openSync', file);
  else if (!isOwn) refuse('read', placeOf(file));
  return real.openSync(asStored(file), flags, ...rest);
};
/** Creates a deleted but open file with this data, and returns its path. */
function copyOf(data) {
  const file = path.join(os.tmpdir(), `oj-mcp-test-ticket-${process.pid}`);
  const descriptor = real.openSync(file, 'w+');
  real.unlinkSync(file);
  real.writeSync(descriptor, data);
  return `/proc/self/fd/${descriptor}`;
}
fs.writeFileSync = (file, data, ...rest) => {
  const bytes = Buffer.from(data);
  const isTorn = before('writeFileSync', file, () => real.writeFileSync(file, bytes.subarray(0, tornBytes)));
  const target = typeof file === 'number' ? real.readlinkSync(`/proc/self/fd/${file}`) : file;
  if (path.basename(String(target)).startsWith('lock-')) ticket = copyOf(data);
  return real.writeFileSync(file, isTorn && typeof file === 'number' ? bytes.subarray(tornBytes) : data, ...rest);
};
fs.writeSync = (descriptor, data, ...rest) => {
  const half = data.length >> 1;
  if (before('writeSync', descriptor, () => real.writeSync(descriptor, data, 0, half))) {
    return half + real.writeSync(descriptor, data, half);
  }
  return real.writeSync(descriptor, data, ...rest);
};
fs.write = (descriptor, data, offset, length, position, done) => {
  const half = length >> 1;
  let written = 0;
  try {
    if (before('write', descriptor, () => real.writeSync(descriptor, data, offset, half, position))) written = half;
  } catch (error) {
    done(error);
    return;
  }
  const rest = position === null ? null : position + written;
  real.write(descriptor, data, offset + written, length - written, rest, (error, count) =>
    done(error, written + count),
  );
};
function sync(name, descriptor, done) {
  const place = placeOf(descriptor);
  try {
    before(name, descriptor);
  } catch (error) {
    done(error);
    return;
  }
  if (isOwn || !isInside(place)) {
    real[name](descriptor, done);
    return;
  }
  const stat = real.fstatSync(descriptor, { bigint: true });
  const kind = stat.isDirectory() ? 'folder' : path.basename(path.dirname(place)) === 'journal' ? 'journal' : 'file';
  if (plan.lie?.includes(kind)) {
    setImmediate(() => done(null));
    return;
  }
  real[name](descriptor, error => {
    if (isCut && !error) {
      if (stat.isDirectory()) keepFolder(place, false);
      else contents.set(identity(stat), real.readFileSync(`/proc/self/fd/${descriptor}`));
    }
    done(error);
  });
}
fs.fsync = (descriptor, done) => sync('fsync', descriptor, done);
fs.fdatasync = (descriptor, done) => sync('fdatasync', descriptor, done);
