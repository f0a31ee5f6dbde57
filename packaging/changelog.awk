# CHANGELOG.md -> Debian's changelog, of its first version: -v version=0.1.0-1 -v date="Sun, ..." -v maintainer="Name <address>"
function flush_item(   words, count, i, line)
{
    count = split(item, words, " ")
    line = "  *"
    for (i = 1; i <= count; i++) {
        if (length(line) + 1 + length(words[i]) > 78) {
            print line
            line = "   "
        }
        line = line " " words[i]
    }
    if (count > 0)
        print line
    item = ""
}
/^## / { versions++; next }
versions != 1 { next }
versions == 1 && !begun { begun = 1; print "rigproof (" version ") unstable; urgency=medium\n" }
/^- / { flush_item(); item = substr($0, 3); next }
/^  [^ ]/ { item = item " " substr($0, 3) }
END { flush_item(); print "\n -- " maintainer "  " date }
