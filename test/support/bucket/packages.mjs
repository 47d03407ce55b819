// Downloads Ceph from Debian's packages and unpacks it into a folder. Nothing is installed, and no permissions are
// needed.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import path from 'node:path';

export const home = process.env['BOOKS_STORE_FOLDER'] ?? path.join(tmpdir(), 'oj-mcp-store');
/** The unpacked packages stay for later runs. */
export const root = path.join(home, 'root');
const suite = 'sid'; // the only one whose Ceph keeps conditions on uploads in parts
/** The timeout ends only a download that hangs. */
const fetchMs = 600_000;
const tries = 3;

/** Thrown if Debian's packages cannot be downloaded. This is not a failure of the tested program. */
export class PackagesUnavailable extends Error {}

function isUnpacked() {
  return existsSync(path.join(root, '.complete'));
}

/**
 * Downloads and unpacks the packages. A failed download is repeated from its beginning, because mirrors disconnect and
 * the suite changes while it is read.
 */
export function fetchPackages() {
  const own = path.join(home, `new-${process.pid}`);
  for (let count = 1; !isUnpacked(); count++) {
    try {
      rmSync(own, { recursive: true, force: true });
      unpack(download(path.join(own, 'apt')), path.join(own, 'root'));
      moveIn(path.join(own, 'root'));
    } catch (error) {
      if (count === tries) throw error;
    } finally {
      rmSync(own, { recursive: true, force: true });
    }
  }
}

/** Moves the folder in one step, because other processes may do the same. */
function moveIn(unpacked) {
  if (existsSync(root) && !isUnpacked()) rmSync(root, { recursive: true });
  try {
    renameSync(unpacked, root);
  } catch (error) {
    if (!isUnpacked()) throw error;
  }
}

/** Downloads the packages and returns their folder. */
function download(apt) {
  const packages = path.join(apt, 'packages');
  for (const folder of ['lists/partial', 'archives/partial', 'packages'])
    mkdirSync(path.join(apt, folder), { recursive: true });
  writeFileSync(path.join(apt, 'status'), '');
  const env = { ...process.env, APT_CONFIG: path.join(apt, 'apt.conf') };
  writeFileSync(path.join(apt, 'sources.list'), `deb [signed-by=${keyring()}] ${mirror()} ${suite} main\n`);
  writeFileSync(env.APT_CONFIG, aptConfiguration(apt));
  // Without this option, an index that cannot be downloaded is only a warning.
  aptGet(['-o', 'APT::Update::Error-Mode=any', 'update'], { env });
  const names = aptGet(['--print-uris', 'install', 'ceph-mon', 'ceph-osd', 'radosgw'], { env })
    .split('\n')
    .map(line => line.split(' ')[1]?.split('_')[0])
    .filter(name => name !== undefined && !isForAdministrators(name));
  aptGet(['download', ...names], { env, cwd: packages });
  return packages;
}

function unpack(packages, target) {
  for (const folder of ['bin', 'sbin', 'lib', 'lib64']) {
    mkdirSync(path.join(target, 'usr', folder), { recursive: true });
    symlinkSync(`usr/${folder}`, path.join(target, folder));
  }
  const left = ['doc', 'man', 'locale'].map(folder => `--exclude=./usr/share/${folder}`);
  for (const name of readdirSync(packages)) {
    const file = path.join(packages, name);
    const tar = execFileSync('dpkg-deb', ['--fsys-tarfile', file], { maxBuffer: 2 ** 31, stdio: 'pipe' });
    execFileSync('tar', ['-x', '-C', target, ...left], { input: tar, stdio: 'pipe' });
  }
  writeFileSync(path.join(target, '.complete'), '');
}

function aptGet(args, options = {}) {
  try {
    return execFileSync('apt-get', ['-qq', ...args], {
      ...options,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: fetchMs,
    });
  } catch (error) {
    throw new PackagesUnavailable(`Debian's packages cannot be had here: ${firstLine(error)}`, { cause: error });
  }
}

/** Returns whether a required package is only used to install, configure or monitor Ceph. */
function isForAdministrators(name) {
  return /^(?:python|libpython|perl|libperl|systemd|libsystemd-shared|binutils|libbinutils|sudo|cryptsetup|lvm2|parted|smartmontools|logrotate|nvme|xfsprogs|tzdata|debconf|dpkg|tar|coreutils)/.test(
    name,
  );
}

function keyring() {
  const found = ['pgp', 'gpg']
    .map(end => `/usr/share/keyrings/debian-archive-keyring.${end}`)
    .find(file => existsSync(file));
  if (found === undefined) throw new PackagesUnavailable('the package debian-archive-keyring is missing');
  return found;
}

/** Returns the mirror from which this system downloads its own packages. */
function mirror() {
  const [first] = aptGet(['indextargets', '--format', '$(REPO_URI)'])
    .split('\n')
    .filter(line => /^https?:/.test(line) && !line.includes('security'))
    .sort();
  if (first === undefined) throw new PackagesUnavailable('apt has no sources');
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

export function firstLine(error) {
  const told = error instanceof Error && 'stderr' in error ? String(error.stderr).trim() : '';
  return (told || (error instanceof Error ? error.message : String(error))).split('\n', 1)[0];
}
