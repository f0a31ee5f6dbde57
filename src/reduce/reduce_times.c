/* The times at which a file is looked at. */
#include <math.h>

#include "base/file/file.h"
#include "reduce/gltf_edit.h"
#include "reduce/reducing.h"

bool reduce_true_times(const char *model, struct text *out)
{
    SCOPED(text) path = {0};
    SCOPED(blob) file = {0};
    size_t i;
    json_t *truth, *pose;
    const char *name = path_base(model);
    text_addf(&path, "%.*s.truth.json", (int)((size_t)(name - model) + path_stem_length(name)), model);
    truth = file_read(text_string(&path), SIZE_MAX / 2, &file, ERROR_IGNORED)
                ? json_loadb((const char *)file.data, file.size, 0, NULL)
                : NULL;
    const size_t count = json_array_size(json_object_get(truth, "poses"));
    json_array_foreach(json_object_get(truth, "poses"), i, pose) {
        text_add(out, i > 0 ? ", " : "times: [");
        text_add_double(out, json_number_value(json_object_get(pose, "time")));
    }
    text_add(out, count > 0 ? "]" : "");
    json_decref(truth);
    return count > 0;
}

void reduce_uneven_times(const struct gltf_edit *edit, struct text *out)
{
    static const double parts[] = {0.07, 0.18, 0.29, 0.41, 0.53, 0.64, 0.76, 0.88, 0.97};
    const json_t *clips = edit_list(edit->root, "animations"),
                 *clip = edit->clip >= 0 ? json_array_get(clips, (size_t)edit->clip) : NULL;
    double end = 0;
    size_t i;
    json_t *sampler;
    json_array_foreach(edit_list(clip, "samplers"), i, sampler) {
        const struct gltf_column *times = edit_values(edit, sampler, "input");
        end = times && times->count > 0 ? fmax(end, times->numbers[times->count - 1]) : end;
    }
    for (i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        text_add(out, i > 0 ? ", " : "times: [");
        text_add_double(out, parts[i] * end);
    }
    text_add(out, "]");
}
