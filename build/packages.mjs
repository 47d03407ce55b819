// @ts-check
import { readdir, readFile } from 'node:fs/promises';

/**
 * @typedef {object} BundledPackage
 * @property {string} folder below the root, such as `node_modules/ufo`
 * @property {string} name
 * @property {string} version
 * @property {string} license an SPDX identifier or expression
 * @property {string} licenseText
 * @property {readonly string[]} dependencies
 */

/**
 * Reads the packages that have bytes in the bundle, in the order of their folders.
 * @param {readonly string[]} inputs the input files of the bundle
 * @returns {Promise<BundledPackage[]>}
 */
export async function readPackages(inputs) {
  const folders = new Set(inputs.flatMap(input => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input)?.[0] ?? []));
  return await Promise.all([...folders].sort(byCodePoint).map(readPackage));
}

/**
 * @param {string} folder
 * @returns {Promise<BundledPackage>}
 */
async function readPackage(folder) {
  const { name, version, license, dependencies = {} } = JSON.parse(await readFile(`${folder}/package.json`, 'utf8'));
  const file = (await readdir(folder)).find(entry => /^licen[cs]e/i.test(entry));
  if (file === undefined) throw new Error(`${name} has no license file`);
  const licenseText = (await readFile(`${folder}/${file}`, 'utf8')).trim().replace(/\r\n/g, '\n');
  return { folder, name, version, license, licenseText, dependencies: Object.keys(dependencies) };
}

/**
 * @typedef {object} BundledData
 * @property {string} title
 * @property {string} licenseText
 */

/** These tables are derived from data with a license of its own, which is the file LICENSE.txt in the same folder. */
const derivedData = new Map([
  ['src/documents/pdf/cid/tables.json', 'mapping-resources-pdf and cmap-resources by Adobe (BSD-3-Clause)'],
]);

/**
 * Reads the licenses of the derived tables in the bundle.
 * @param {readonly string[]} inputs the input files of the bundle
 * @returns {Promise<BundledData[]>}
 */
export async function readData(inputs) {
  const found = [...derivedData].filter(([file]) => inputs.includes(file));
  return await Promise.all(
    found.map(async ([file, title]) => {
      const licenseText = await readFile(file.replace(/[^/]*$/, 'LICENSE.txt'), 'utf8');
      return { title, licenseText: licenseText.trim() };
    }),
  );
}

/**
 * Does not use `localeCompare`, because the order must be the same on every system.
 * @param {string} left
 * @param {string} right
 */
export function byCodePoint(left, right) {
  return left < right ? -1 : 1;
}
