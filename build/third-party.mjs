// @ts-check

/**
 * Returns the licenses of the bundled packages and data as Markdown.
 * @param {readonly import('./packages.mjs').BundledPackage[]} packages
 * @param {readonly import('./packages.mjs').BundledData[]} data
 */
export function thirdParty(packages, data) {
  const titled = packages.map(({ name, version, license, licenseText }) => ({
    title: `${name} ${version} (${license})`,
    licenseText,
  }));
  const sections = [...titled, ...data].map(
    ({ title, licenseText }) => `## ${title}\n\n\`\`\`\`text\n${licenseText}\n\`\`\`\`\n`,
  );
  return `# Software in oj-mcp.cjs\n\nThe file contains parts of these packages.\n\n${sections.join('\n')}`;
}
