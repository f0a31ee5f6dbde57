#include "base/build_id.h"

#include <elf.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* The notes of a segment: three sizes, a name and a description, each padded to 4 bytes. */
static bool read_notes(const char *notes, size_t size, char out[static BUILD_ID_TEXT])
{
    ElfW(Nhdr) note;
    for (size_t at = 0; size - at >= sizeof note;) {
        memcpy(&note, notes + at, sizeof note);
        size_t label = at + sizeof note, content = label + ((note.n_namesz + 3u) & ~3u);
        size_t end = content + ((note.n_descsz + 3u) & ~3u);
        if (end > size || end <= at)
            return false;
        if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 && memcmp(notes + label, "GNU", 4) == 0 &&
            note.n_descsz > 0 && note.n_descsz <= BUILD_ID_BYTES) {
            for (size_t i = 0; i < note.n_descsz; i++)
                snprintf(out + 2 * i, 3, "%02x", (unsigned char)notes[content + i]);
            return true;
        }
        at = end;
    }
    return false;
}

bool build_id_find(ElfW(Addr) base, const ElfW(Phdr) *segments, int count, char out[static BUILD_ID_TEXT])
{
    for (int i = 0; i < count; i++)
        if (segments[i].p_type == PT_NOTE &&
            read_notes((const char *)(uintptr_t)(base + segments[i].p_vaddr), segments[i].p_memsz, out))
            return true;
    return false;
}
