#ifndef RIGPROOF_TESTS_FBX_TEXT_H
#define RIGPROOF_TESTS_FBX_TEXT_H

#include "import_fixture.h"

#include "import/fbx/fbx_curve.h"

/* The text of an FBX file whose one object is a curve; the lists are as the file has them: "0,46186158000". */
static inline void curve_text(char *out, size_t size, const char *times, const char *values, const char *flags,
                              const char *data, const char *runs)
{
    snprintf(out, size,
             "; FBX 7.1.0 project file\nFBXHeaderExtension:  {\n\tFBXVersion: 7100\n}\nObjects:  {\n"
             "\tAnimationCurve: 1, \"AnimCurve::\", \"\" {\n\t\tKeyTime: *1 {\n\t\t\ta: %s\n\t\t}\n"
             "\t\tKeyValueFloat: *1 {\n\t\t\ta: %s\n\t\t}\n\t\tKeyAttrFlags: *1 {\n\t\t\ta: %s\n\t\t}\n"
             "\t\tKeyAttrDataFloat: *1 {\n\t\t\ta: %s\n\t\t}\n\t\tKeyAttrRefCount: *1 {\n\t\t\ta: %s\n\t\t}\n\t}\n}\n",
             times, values, flags, data, runs);
}

/* Reads the curve with that id out of the bytes of a file; false when it is not there or broken. */
static inline bool read_curve(const void *data, size_t size, struct fbx_curve *curve)
{
    struct fbx_file file;
    bool good = !fbx_open(&file, data, size);
    uint32_t element = good ? fbx_find(&file, 1, "AnimationCurve") : 0;
    good = element != 0 && fbx_curve_read(&file, element, curve);
    fbx_close(&file);
    return good;
}

#endif
