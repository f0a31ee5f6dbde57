#!/usr/bin/env bash
# Installs the build into an empty folder: what is there is what a package has, and the pages and completions are those of the
# program. package.sh SOURCE BUILD WORK
set -euo pipefail
build=$2 work=$3
rm -rf "$work"
DESTDIR=$work cmake --install "$build" --prefix /usr >/dev/null
cd "$work/usr"
rigproof=$PWD/bin/rigproof

fail() {
    echo "package: $*"
    exit 1
}

mapfile -t commands < <("$rigproof" --help | sed -n 's/^  \([a-z]*\) .*/\1/p')
[ "${#commands[@]}" -ge 13 ] || fail "${#commands[@]} commands"
expected=(bin/rigproof include/rigproof_subject.h share/bash-completion/completions/rigproof
          share/fish/vendor_completions.d/rigproof.fish share/zsh/vendor-completions/_rigproof
          share/pkgconfig/rigproof.pc share/pkgconfig/rigproof-subject.pc share/cmake/rigproof/rigproof-config.cmake
          share/cmake/rigproof/rigproof-config-version.cmake share/man/man1/rigproof.1
          "${commands[@]/#/share/man/man1/rigproof-}")
for file in "${expected[@]}"; do
    case $file in *man1/rigproof-*) file+=.1 ;; esac
    [ -s "$file" ] || fail "$file is missing or empty"
done
find . -type f -not -path './share/cmake/*' -not -path './share/rigproof/*' -not -path './share/doc/*' >../files # scripts of contrib/ are in share/rigproof
count=$(wc -l <../files)
[ "$count" = $((${#expected[@]} - 2)) ] || fail "something else is installed: $(cat ../files)"

doc=share/doc/rigproof
for file in README.md faq.md report.png formats.md guides/first-suite.md guides/first-suite.png schemas/suite.schema.json shaders/README.md walker.png \
            fixtures/walker/walker.glb contrib/gitlab/rigproof.gitlab-ci.yml contrib/github/sharded.yml; do
    [ -s "$doc/$file" ] || fail "$doc/$file is missing"
done
[ -x share/rigproof/subjects/three/install ] || fail "the engines' scripts are missing"

# Pages speak of the installed program, and every link of theirs leads somewhere.
! grep -rn 'build/release/rigproof' $doc share/rigproof --include='*.md' || fail "pages name a build folder"
links=0
while IFS=: read -r page link; do
    link=${link#](} link=${link%)} link=${link#<} link=${link%>}
    [ -e "$(dirname "$page")/$link" ] || fail "$page: nothing is at $link"
    links=$((links + 1))
done < <(grep -rho --include='*.md' -H '](\([^)#: ]*[^)#: /]\)' $doc share/rigproof | sed 's/$/)/')
[ "$links" -gt 100 ] || fail "only $links links were found"

# They are the installed program's, which nobody has changed since.
diff <("$rigproof" help --man) share/man/man1/rigproof.1
diff <("$rigproof" help --man check) share/man/man1/rigproof-check.1
for shell in bash zsh fish; do
    file=$(ls share/*/*completions*/*rigproof* | grep $shell)
    diff <("$rigproof" help --completion $shell) "$file"
    ! command -v $shell >/dev/null || $shell -n "$file"
done
bash -euc 'load() { source share/bash-completion/completions/rigproof; } # in a function, as bash-completion does
load
COMP_WORDS=(rigproof check --back) COMP_CWORD=2; _rigproof; [ "${COMPREPLY[*]}" = --backend ]
COMP_WORDS=(rigproof rev) COMP_CWORD=1; _rigproof; [ "${COMPREPLY[*]}" = review ]' || fail "bash does not complete"

# Debian's changelog is made of ours: entries of the version, lines of a terminal's width.
awk -v version=0.1.0-1 -v date="Thu, 01 Jan 1970 00:00:00 +0000" -v maintainer="A <a@b.org>" -f "$1/packaging/changelog.awk" \
    "$1/CHANGELOG.md" >changelog
[ "$(head -n 1 changelog)" = "rigproof (0.1.0-1) unstable; urgency=medium" ] &&
    [ "$(tail -n 1 changelog)" = " -- A <a@b.org>  Thu, 01 Jan 1970 00:00:00 +0000" ] || fail "changelog"
entries=$(awk '/^## /{n++} n == 1 && /^- /' "$1/CHANGELOG.md" | wc -l)
[ "$(grep -c '^  \* ' changelog)" = "$entries" ] || fail "the changelog has not $entries entries"
! grep -E '^.{81}' changelog || fail "lines are too long" # a terminal's and lintian's 80
echo "package: ${#commands[@]} commands, $count files beside the CMake package"
