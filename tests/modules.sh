#!/usr/bin/env bash
# Fails when two sources of src/ have one name, a folder has more than 20, a line has more than 120 columns, or a comment
# begins with a question word: it is a fragment, where a sentence has a subject and a verb.
set -euo pipefail
root=${1:-$(dirname "$0")/..}
cd "$root"
bad=0
for name in $(find src -name '*.[ch]' -printf '%P\n' | sed 's/\.[ch]$//' | sort -u | sed 's|.*/||' | sort | uniq -d); do
    echo "two sources of src/ are called $name"
    bad=1
done
while read -r count folder; do
    [ "$count" -le 20 ] || {
        echo "$folder has $count sources: give a topic of theirs a folder"
        bad=1
    }
done < <(find src -name '*.c' -printf '%h\n' | sort | uniq -c)
find src -name '*.[ch]' -exec env LC_ALL=C.UTF-8 awk 'length > 120 {
    print FILENAME ":" FNR ": more than 120 columns"
    bad = 1
}
END { exit bad }' {} + || bad=1
find src -name '*.[ch]' -exec awk -v words='(What|Whether|Whose|How|Which|Who) ' '$0 ~ "^ *(/[*]+ )" words || (opens && $0 ~ "^ *[*] " words) {
    print FILENAME ":" FNR ": a comment begins with a question word"
    bad = 1
}
{ opens = /^ *\/[*]+$/ }
END { exit bad }' {} + || bad=1
[ "$bad" = 0 ] && echo "modules: no two sources of one name, no folder of more than 20, no line of more than 120, no fragments"
exit "$bad"
