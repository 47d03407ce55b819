#!/usr/bin/env bash
# Packs dist/ and puts the files of a release into packaging/out/release with their checksums. Prints the checksum of that list.
set -euo pipefail
cd "$(dirname "$0")/.."
node packaging/pack.mjs >&2
cd packaging/out
mkdir release
cp ./*.mcpb ./*.zip ./*.tgz server.json ../../dist/oj-mcp.cjs ../../dist/oj-mcp.cdx.json ../../dist/THIRD-PARTY.md ../../CHANGELOG.md release
cd release
LC_ALL=C sha256sum -- * > ../SHA256SUMS
mv ../SHA256SUMS .
sha256sum SHA256SUMS | cut -d ' ' -f 1
