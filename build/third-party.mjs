// @ts-check

/**
 * Returns the licenses of the bundled packages as Markdown.
 * @param {readonly import('./packages.mjs').BundledPackage[]} packages
 */
export function thirdParty(packages) {
  const sections = packages.map(
    ({ name, version, license, licenseText }) =>
      `## ${name} ${version} (${license})\n\n\`\`\`\`text\n${licenseText}\n\`\`\`\`\n`,
  );
  return `# Software in oj-mcp.cjs\n\nThe file contains parts of these packages.\n\n${sections.join('\n')}`;
}
