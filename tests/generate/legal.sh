#!/usr/bin/env bash
# Every file of `rigproof generate` passes Khronos' glTF-Validator without an error. Skipped (77) without node or the npm package
# gltf-validator, which is looked for from GLTF_VALIDATOR (a folder with node_modules) on, or the working folder.
set -euo pipefail
rigproof=$1
random=${2:-60}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "${GLTF_VALIDATOR:-.}"
node -e 'require.resolve("gltf-validator")' 2>/dev/null || { echo "skipped: no npm package gltf-validator"; exit 77; }
"$rigproof" generate -o "$scratch/rules" -q
for size in small medium large; do
    "$rigproof" generate --seed 3 --count "$random" --size "$size" --glb -o "$scratch/$size" -q
done
node - "$scratch"/*/*.gl* <<'SCRIPT'
const fs = require("fs"), validator = require("gltf-validator");
(async () => {
    let bad = 0;
    for (const file of process.argv.slice(2)) {
        const report = await validator.validateBytes(new Uint8Array(fs.readFileSync(file)));
        for (const message of report.issues.messages.filter((m) => m.severity === 0)) {
            console.log(`${file}: ${message.code} at ${message.pointer}: ${message.message}`);
            bad++;
        }
    }
    console.log(`${process.argv.length - 2} files, ${bad} errors`);
    process.exit(bad ? 1 : 0);
})();
SCRIPT
