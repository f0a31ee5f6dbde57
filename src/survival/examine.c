/* The table of checks, and how they are run. Facts of the texts are from their own pages and code. */
#include <math.h>

#include "base/file/file.h"
#include "survival/checks.h"

enum {
    L = 1 << ENGINE_LEARNOPENGL,
    O = 1 << ENGINE_OGLDEV,
    G = 1 << ENGINE_GLTF_ARTICLE,
    M = 1 << ENGINE_PALETTE_ARTICLE,
    T = 1 << ENGINE_THESIS,
    GLES3 = 1 << ENGINE_GLES3,
    WEBGL2 = 1 << ENGINE_WEBGL2,
};

const char *const survival_engine_names[ENGINE_COUNT] = {
    "learnopengl", "ogldev", "gltf-article", "palette-article", "thesis", "gles3", "webgl2",
};
const char *const survival_effect_names[EFFECT_COUNT] = {"note", "changes", "breaks"};

/*
 * Limits of GLES3 and WEBGL2: OpenGL ES 3.0.6, chapter 6, "Implementation Dependent Values":
 * MAX_VERTEX_UNIFORM_VECTORS is 256 or more, MAX_UNIFORM_BLOCK_SIZE 16384 bytes or more, MAX_TEXTURE_SIZE 2048 or
 * more; WebGL 2.0 raises none of them. With three matrices besides, (256 - 12) / 4 = 61 bones are left as mat4. OpenGL
 * 3.3 guarantees 1024 components in a vertex shader: 85 bones of 12.
 */
// clang-format off
static const struct check checks[] = {
    {"format", G, 0, {0}, judge_format, "export it as .glb", NULL},
    {"import", L | O, 0, {SWITCH_JOINT, JOINT_LAST, 0, DATA_RAW_SCENE}, judge_import,
     "see docs/importer.md for each; export as .glb, or import with another Assimp", NULL},
    {"import", M | T, 0, {SWITCH_JOINT, JOINT_FIRST, 0, DATA_RAW_SCENE}, judge_import,
     "see docs/importer.md for each; export as .glb, or import with another Assimp", NULL},
    {"clips", L | O, 0, {0}, judge_clips, "load the clip from another file, or test mNumAnimations first", NULL},
    {"unskinned", L | O | M | T, 0, {0}, judge_unskinned,
     "weight them to a bone in the editor, or draw such meshes with the node's transform", NULL},

    {"lost-bones", L | O | M | T, 0, {0}, judge_lost_bones,
     "export all joints of the skin, or give these bones the identity of a node", NULL},

    {"bones", L, 100, {0}, judge_scene_bones,
     "raise MAX_BONES and the loop of 100 in Animator, or upload a palette per mesh", NULL},
    {"bones", O, 100, {0}, judge_scene_bones, "raise MAX_BONES in program and shader, or upload a palette per mesh",
     NULL},
    {"bones", M, 128, {0}, judge_mesh_bones, "raise the size of palette[128], or split the mesh",
     "room in its palette for"},
    {"bones", G, 256, {0}, judge_mesh_bones, "make the ids uint16, or split the mesh",
     "a byte for each id, enough for"},
    {"bones", GLES3 | WEBGL2, 341, {0}, judge_mesh_bones, "put the palette into a texture, or split the mesh",
     "room in the largest uniform block that is guaranteed (16 KB) for"},
    {"uniforms", G, 85, {0}, judge_uniforms, "use a UBO, an SSBO or a buffer texture",
     "a uniform array is guaranteed to hold 85"},
    {"uniforms", GLES3 | WEBGL2, 61, {0}, judge_uniforms, "use a uniform block, or a texture",
     "a uniform array is guaranteed to hold 61 mat4 beside projection, view and model (256 vectors), or 81 of three "
         "rows"},
    {"missing-bones", L, 100, {0}, judge_missing_bones,
     "leave ReadMissingBones out: nodes can be animated without a place", NULL},
    {"skins", L | O | G | M, 0, {0}, judge_skins, "keep a palette per mesh or per skin", NULL},
    {"offsets", L | T, 0, {SWITCH_OFFSET_OF, OFFSET_FIRST}, judge_cost,
     "keep an offset matrix per mesh and bone, not per name",
     "a bone has one offset in one mesh, another in another, and the first counts for both"},
    {"offsets", O, 0, {SWITCH_OFFSET_OF, OFFSET_LAST}, judge_cost,
     "keep an offset matrix per mesh and bone, not per name",
     "a bone has one offset in one mesh, another in another, and the last counts for both"},

    {"influences", L, 0, {SWITCH_KEEP, KEEP_FIRST_FOUR}, judge_influences, "import with aiProcess_LimitBoneWeights",
     "the first four that come count, not rescaled"},
    {"influences", O, FIFTH_ASSERTS, {SWITCH_KEEP, KEEP_FIRST_FOUR}, judge_influences,
     "import with aiProcess_LimitBoneWeights",
     "the fifth asserts, and without asserts is left out"},
    {"influences", T, 0, {SWITCH_KEEP, KEEP_LARGE, 0.1}, judge_influences,
     "limit and rescale weights at import, without a threshold",
     "weights of 0.1 and less are dropped, and the rest is not rescaled"},
    {"influences", G | M, 0, {SWITCH_KEEP, KEEP_RESCALED}, judge_influences,
     "limit the influences to four in the exporter",
     "it has room for four, at best the largest, rescaled"},
    {"weight-sums", L | O | T, 0, {.data = DATA_RAW_WEIGHTS}, judge_weight_sums,
     "normalise the weights in the editor, or divide by their sum", NULL},
    {"byte-weights", M, 0, {SWITCH_BYTES, BYTES_ROUNDED}, judge_cost,
     "divide by the sum of the bytes, or give the rest to the largest",
     "weights become bytes, which do not always add up to 255"},
    {"byte-weights", G, 0, {SWITCH_BYTES, BYTES_ROUNDED_RESCALED}, judge_cost, "upload weights as uint16 or float",
     "weights become bytes"},

    {"rest-pose", L, 0, {0}, judge_rest_pose, "show the nodes' own transforms where no clip plays", NULL},
    {"tick-rate", L, 0, {.data = DATA_RATE_TRUNCATED}, judge_cost, "keep mTicksPerSecond as a float",
     "the tick rate is no whole number, and is truncated to one"},
    {"no-tick-rate", L, 0, {.data = DATA_RATE_ZERO}, judge_cost, "take 25 where mTicksPerSecond is 0",
     "the file names no tick rate, and at 0 a second the clip stands still"},
    {"late-keys", L | O, 0, {SWITCH_EARLY, EARLY_LINE}, judge_cost, "hold the first key until its time",
     "keys begin after the clip does: before them the first two are continued backwards (or an assert of the factor "
         "ends it)"},
    {"late-keys", M, 0, {SWITCH_EARLY, EARLY_IDENTITY}, judge_cost, "hold the first key until its time",
     "keys begin after the clip does, and are blended from the identity at time 0"},
    {"early-end", L | O, 0, {0}, judge_early_end, "return the last index instead of assert(0), and hold the last key",
     NULL},
    {"absent-keys", L | O, 0, {0}, judge_absent_keys,
     "take the node's own translation, rotation, scale for what has no keys", NULL},
    {"absent-keys", M, 0, {SWITCH_MISSING, MISSING_IDENTITY, 0, DATA_RAW_ABSENT}, judge_cost,
     "take the node's own translation, rotation, scale",
     "channels lack keys of a component, which becomes the identity"},
    {"absent-keys", T, 0, {SWITCH_MISSING, MISSING_TRANSLATION, 0, DATA_RAW_ABSENT}, judge_cost,
     "take the node's own translation",
     "channels lack keys of the translation, which becomes zero"},
    {"interpolation", L | O | G | M | T, 0, {SWITCH_CURVES, CURVES_LINEAR, 0, DATA_RAW_CURVES}, judge_cost,
     "bake a key a frame in the exporter",
     "keys that step or are cubic are played linearly"},
    {"loop-end", L | O | T, 0, {.data = DATA_END_WRAPPED}, judge_cost_as_note,
     "hold the end: fmod() only beyond the duration",
     "at time = duration fmod() shows the first frame"},

    {"pivots", L | O | M | T, 0, {SWITCH_PIVOTS, PIVOTS_KEPT}, judge_pivots,
     "import with AI_CONFIG_IMPORT_FBX_PRESERVE_PIVOTS off", NULL},
    {"root", O, 0, {SWITCH_ROOT, ROOT_EXTRA}, judge_cost, "leave m_GlobalInverseTransform out",
     "the inverse root transform takes away what the root does to the whole model"},
    {"normals", O, 0, {SWITCH_NORMAL, NORMAL_BY_POSITION}, judge_normals,
     "transform normals by the inverse transpose of the blended 3x3", NULL},
    {"morphs", L | O | G | M | T, 0, {SWITCH_MORPH, MORPH_NONE}, judge_cost, "add the targets' deltas before skinning",
     "morph targets are not drawn"},
    {"unit", L | O | M | T, 0, {0}, judge_unit, "scale the model matrix by that, or import with aiProcess_GlobalScale",
     NULL},
    {"up-axis", L | O | M | T, 0, {0}, judge_up_axis, "turn the model matrix, or export with y up", NULL},
    {"textures", L | O | G | M | T, MATERIAL_LACKS_FILE, {0}, judge_materials,
     "put the file where the model looks for it, as png or jpg", "a texture that is not there or cannot be read"},
    {"untextured", L | T, MATERIAL_UNTEXTURED, {0}, judge_materials, "bind a white texture, or use the base colour",
     "no base texture"},
    {"embedded-textures", L | O, MATERIAL_EMBEDDED, {0}, judge_materials,
     "ask aiScene for the embedded texture, or export them as files",
     "a texture inside the model file, and it opens files by name"},
    {"texture-size", GLES3 | WEBGL2, 2048, {0}, judge_texture_size, "scale it down", NULL},
};
// clang-format on
enum { CHECKS = sizeof checks / sizeof *checks };

/* Three digits that count, or all before the point. */
static int digits_of(double value)
{
    return value >= 1000 && value < 1e9 ? (int)floor(log10(value)) + 1 : 3;
}

static void describe_cost(const struct examination *e, const struct cost *cost, struct text *out)
{
    const double share = 100 * cost->units / e->radius;
    if (isinf(cost->units))
        text_add(out, ": vertices are where no number says");
    else
        text_addf(out, ": vertices move by up to %.*g units (%.*g %% of the radius)", digits_of(cost->units),
                  cost->units, digits_of(share), share);
    if (cost->bone && cost->bone[0])
        text_addf(out, ", those of `%s`", cost->bone);
    if (cost->clip)
        text_addf(out, " at %.4g s of `%s`", cost->time, cost->clip);
}

static bool set_text(const struct examination *e, const struct cost *cost, struct survival_finding *out,
                     const char *format, va_list args)
{
    SCOPED(text) text = {0}, safe = {0};
    text_addv(&text, format, args);
    if (cost)
        describe_cost(e, cost, &text);
    text_add_name(&safe, text_string(&text)); /* names of the file are in it */
    out->text = arena_text(e->arena, &safe);
    return true;
}

bool finding_say(const struct examination *e, struct survival_finding *out, enum survival_effect effect, double measure,
                 const char *unit, double limit, const char *format, ...)
{
    va_list args;
    out->effect = effect;
    out->measure = measure;
    out->unit = unit;
    out->limit = limit;
    va_start(args, format);
    set_text(e, NULL, out, format, args);
    va_end(args);
    return true;
}

bool finding_say_cost(const struct examination *e, struct survival_finding *out, const struct cost *cost,
                      const char *format, ...)
{
    va_list args;
    va_start(args, format);
    set_text(e, cost, out, format, args);
    va_end(args);
    return true;
}

bool judge_cost(const struct examination *e, const struct check *check, const struct cost *cost,
                struct survival_finding *out)
{
    return cost && finding_say_cost(e, out, cost, "%s", check->what);
}

bool judge_cost_as_note(const struct examination *e, const struct check *check, const struct cost *cost,
                        struct survival_finding *out)
{
    out->effect = EFFECT_NOTE;
    return judge_cost(e, check, cost, out);
}

/* Notes what a displacement alone says. */
static void note_cost(const struct examination *e, const struct cost *cost, struct survival_finding *out)
{
    const double share = cost->units / e->radius;
    out->effect = isinf(share) ? EFFECT_BREAKS : share >= SURVIVAL_VISIBLE ? EFFECT_CHANGES : EFFECT_NOTE;
    out->measure = cost->units;
    out->unit = "scene units";
    out->limit = SURVIVAL_VISIBLE * e->radius;
    out->share = share;
    out->clip = cost->clip;
    out->time = cost->clip ? cost->time : NAN;
}

struct survival *survival_examine(const struct survival_input *input, struct arena *arena)
{
    const double rounding = 1e-5; /* of the radius: less is nothing */
    struct examination e = {.input = input, .arena = arena};
    struct survival *out = ARENA_NEW(arena, struct survival, 1);
    struct survival_finding *findings = ARENA_NEW(arena, struct survival_finding, CHECKS);
    struct cost *costs = ARENA_NEW(arena, struct cost, CHECKS);
    struct altered_model *altered_models[CHECKS];
    int32_t altered_of[CHECKS];
    bool is_found[CHECKS] = {false};
    uint32_t count = 0;
    for (uint32_t i = 0; i < CHECKS; i++) {
        const struct change *change = &checks[i].change;
        const bool is_asked = (change->value || change->data) && (checks[i].engines & input->engines);
        struct altered_model *altered = is_asked ? altered_create(input, change, arena) : NULL;
        altered_of[i] = altered ? (int32_t)count : NO_INDEX;
        if (altered)
            altered_models[count++] = altered;
    }
    e.radius = measure_costs(input, altered_models, count, arena, costs);
    for (uint32_t i = 0; i < CHECKS; i++) {
        const struct cost *played = altered_of[i] == NO_INDEX ? NULL : &costs[altered_of[i]];
        const bool is_moved = played && played->units > rounding * e.radius;
        const struct cost *cost = is_moved || (played && played->degrees > 0) ? played : NULL;
        findings[i] = (struct survival_finding){
            .check = checks[i].id, .limit = NAN, .share = NAN, .time = NAN, .remedy = checks[i].remedy};
        if (is_moved)
            note_cost(&e, cost, &findings[i]);
        if (checks[i].engines & input->engines)
            is_found[i] = checks[i].judge(&e, &checks[i], cost, &findings[i]);
        findings[i].clip = findings[i].clip ? arena_string(arena, findings[i].clip) : NULL;
    }
    out->model = arena_string(arena, path_base(input->scene->path));
    out->assimp_version = arena_string(arena, input->scene->assimp_version);
    out->radius = e.radius;
    out->engines = ARENA_NEW(arena, struct survival_engine_result, ENGINE_COUNT);
    for (unsigned engine = 0; engine < ENGINE_COUNT; engine++) {
        if (!(input->engines >> engine & 1))
            continue;
        struct survival_engine_result *result = &out->engines[out->engine_count++];
        *result = (struct survival_engine_result){survival_engine_names[engine], true, 0,
                                                  ARENA_NEW(arena, struct survival_finding, CHECKS)};
        bool is_read = true; /* no more is said of a file of another format */
        for (uint32_t i = 0; i < CHECKS && is_read; i++)
            if (is_found[i] && (checks[i].engines >> engine & 1)) {
                is_read = checks[i].judge != judge_format;
                result->findings[result->finding_count++] = findings[i];
                result->survives = result->survives && findings[i].effect == EFFECT_NOTE;
            }
    }
    return out;
}

bool survival_is_good(const struct survival *survival)
{
    for (uint32_t i = 0; i < survival->engine_count; i++)
        if (!survival->engines[i].survives)
            return false;
    return true;
}
