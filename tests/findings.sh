#!/usr/bin/env bash
# Fails when docs/formats.md does not list the codes of findings as the program has them, or when code outside report/ looks
# into a sentence: what is decided is decided by codes and numbers, so that sentences may change.
set -euo pipefail
root=${1:-$(dirname "$0")/..}
cd "$root"
bad=0
codes=$(sed -nE 's/^ *(ROW|OTHER)\(\w+, "([^"]+)", (\w+), ([A-Z_]+, )?"(.*)"\)( \\)?$/\L\3\E - `\2`: \5/p' src/data/result/finding_codes.h)
listed=$(sed -n '/^### Codes of findings$/,/^### /p' docs/formats.md | sed -nE '/^Stage/{s/^Stage `(.*)`:$/\1/;h};/^- /{G;s/^(.*)\n(.*)$/\2 \1/p}')
if [ "$codes" != "$listed" ]; then
    echo "docs/formats.md: the codes of findings are not those of src/data/result/finding_codes.h:"
    diff <(echo "$listed") <(echo "$codes") || true
    bad=1
fi
if grep -rnE '\b(strstr|strchr|strrchr|strcmp|strncmp|memcmp|strspn|strcspn)\([^;]*(finding[a-z]*(\[[^]]*\]|->items\[[^]]*\])?(->|\.)text|worst->text|headline|summary|passes_from|->vacuity)\b' \
    --include='*.[ch]' src | grep -v '^src/report/' |
    grep -v 'strstr(golden->cases\[i\].headline, m->paths\[0\])'; then # does an error name its file already?
    echo "these lines look into a sentence"
    bad=1
fi
# Comparers of poses and pictures, and the judge, give numbers and names: no words.
if grep -nE 'findings_add\(|format_(length|displacement|degrees|seconds|mesh|numbers)\(' -r src/compare/pose src/compare/image/images.c src/compare/judge.c; then
    echo "these lines make sentences: src/report/finding_sentences.c does, of a finding's numbers"
    bad=1
fi
without=$(comm -23 <(grep -ohE '\bCODE_[A-Z_]+' -r src/compare/pose src/compare/import src/compare/judge.c | sort -u) <(grep -ohE '\[CODE_[A-Z_]+\]' src/report/finding_templates.c | tr -d '[]' | sort -u) | grep -vE '^CODE_REPAIR_GONE$' || true)
[ -z "$without" ] || { echo "src/report/finding_templates.c has no sentence for:" $without; bad=1; }
[ "$bad" = 0 ] && echo "findings: $(echo "$codes" | wc -l) codes; nobody looks into sentences"
exit "$bad"
