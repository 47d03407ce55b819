import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { systemErrorCodeOf } from '../../../errors/system-error.ts';
import { findConfiguredDocsFolders } from './docusaurus.ts';
import type { ImportManifest } from './manifest.ts';

const sidebars = /^sidebars\.(?:json|[cm]?[jt]s)$/;
const siteConfig = /^docusaurus\.config\.[cm]?[jt]s$/;

export const isDocusaurusConfigFile = (name: string): boolean => sidebars.test(name) || siteConfig.test(name);

/** The folder to which all paths of an imported book are relative. */
export interface BookRoot {
  root: string;
  /** The name of the folder with the pages, if the user gave this folder and the root is the site that contains it. */
  docs?: string;
  /** A note for the user about the site that contains the given folder. */
  note?: string;
}

/**
 * Returns the root of a book. If the given folder contains the pages of a Docusaurus site, the site is the root,
 * because the sidebar and the static files are there.
 */
export function findBookRoot(folder: string, manifest: ImportManifest | undefined): BookRoot {
  const root = path.resolve(folder);
  const parent = path.dirname(root);
  const docs = path.basename(root);
  const wasImported = Object.values(manifest?.files ?? {}).some(({ from }) => existsSync(path.join(root, from)));
  const names = filesOf(root);
  if (wasImported || !existsSync(root) || names.some(isOwnRoot)) return { root };
  if (hasPagesOfSite(parent, docs)) {
    return { root: parent, docs, note: `${folder} belongs to the site ${parent}: paths are relative to that folder.` };
  }
  const site = [parent, path.dirname(parent), path.dirname(path.dirname(parent))].find(isSite);
  if (site === undefined) return { root };
  const note = `${folder} is a part of the site ${site}: import that folder to use its sidebars and static files.`;
  return { root, note };
}

function isOwnRoot(name: string): boolean {
  return isDocusaurusConfigFile(name) || name === 'SUMMARY.md' || name === 'book.toml';
}

function isSite(folder: string): boolean {
  return filesOf(folder).some(name => siteConfig.test(name));
}

function hasPagesOfSite(site: string, docs: string): boolean {
  const names = filesOf(site);
  const config = names.find(name => siteConfig.test(name));
  if (config === undefined) return names.some(name => sidebars.test(name));
  return docs === 'docs' || findConfiguredDocsFolders(readFileSync(path.join(site, config), 'utf8')).includes(docs);
}

/** Returns the names of the files in a folder. A folder that cannot be read counts as empty. */
function filesOf(folder: string): string[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter(entry => entry.isFile())
      .map(({ name }) => name);
  } catch (error) {
    if (systemErrorCodeOf(error) === undefined) throw error;
    return [];
  }
}
