#define _GNU_SOURCE /* dl_iterate_phdr, dladdr */

#include "import/import.h"

#include <dlfcn.h>
#include <elf.h>
#include <limits.h>
#include <link.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <assimp/version.h>

#include "base/file/file.h"

static struct library_file found;
static char name[PATH_MAX], soname[256], build_id[2 * 64 + 1];

/* The dynamic section. Of its addresses the loader of glibc has added where the object lies, others have not. */
static void read_soname(ElfW(Addr) base, const ElfW(Dyn) * dynamic)
{
    ElfW(Addr) strings = 0, offset = 0;
    for (; dynamic->d_tag != DT_NULL; dynamic++) {
        if (dynamic->d_tag == DT_STRTAB)
            strings = dynamic->d_un.d_ptr < base ? base + dynamic->d_un.d_ptr : dynamic->d_un.d_ptr;
        if (dynamic->d_tag == DT_SONAME)
            offset = dynamic->d_un.d_val;
    }
    if (strings == 0 || offset == 0)
        return;
    snprintf(soname, sizeof soname, "%s", (const char *)(uintptr_t)(strings + offset));
    found.soname = soname;
}

/* The notes of a segment: three sizes, a name and a description, each padded to 4 bytes. */
static void read_notes(const char *notes, size_t size)
{
    ElfW(Nhdr) note;
    for (size_t at = 0; size - at >= sizeof note;) {
        memcpy(&note, notes + at, sizeof note);
        size_t label = at + sizeof note, content = label + ((note.n_namesz + 3u) & ~3u);
        size_t end = content + ((note.n_descsz + 3u) & ~3u);
        if (end > size || end <= at)
            return;
        bool is_id = note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 && memcmp(notes + label, "GNU", 4) == 0;
        for (size_t i = 0; is_id && i < note.n_descsz && note.n_descsz < sizeof build_id / 2; i++) {
            snprintf(build_id + 2 * i, 3, "%02x", (unsigned char)notes[content + i]);
            found.build_id = build_id;
        }
        at = end;
    }
}

/* The object in one of whose loaded segments the function lies. */
static int visit(struct dl_phdr_info *object, size_t size, void *function)
{
    (void)size;
    bool holds = false;
    char path[PATH_MAX];
    for (int i = 0; i < object->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &object->dlpi_phdr[i];
        uintptr_t start = (uintptr_t)(object->dlpi_addr + segment->p_vaddr), at = (uintptr_t)function;
        holds = holds || (segment->p_type == PT_LOAD && at >= start && at - start < segment->p_memsz);
    }
    for (int i = 0; i < object->dlpi_phnum && holds; i++) {
        const ElfW(Phdr) *segment = &object->dlpi_phdr[i];
        const void *start = (const void *)(uintptr_t)(object->dlpi_addr + segment->p_vaddr);
        if (segment->p_type == PT_NOTE)
            read_notes(start, segment->p_memsz);
        if (segment->p_type == PT_DYNAMIC)
            read_soname(object->dlpi_addr, start);
    }
    if (holds && realpath(object->dlpi_name, path)) {
        snprintf(name, sizeof name, "%s", path_base(path));
        found.name = name;
    }
    return holds;
}

const struct library_file *import_library_file(void)
{
    static bool asked;
    if (!asked) {
        /* Of a function's address in this program, which may be that of its entry here, the one in the library. */
        void *function = dlsym(RTLD_DEFAULT, "aiGetVersionMajor");
        dl_iterate_phdr(visit, function ? function : (void *)(uintptr_t)aiGetVersionMajor);
        asked = true;
    }
    return &found;
}
