/* Attributes of a user's vertex shader. */
#include "draw/shader/programs.h"

#include <string.h>

enum { BY_LOCATION = ATTRIBUTE_TANGENT }; /* those before it are known by their locations, too */

void contract_name_attributes(GLuint program)
{
    for (GLuint i = 0; i < ATTRIBUTE_COUNT; i++)
        gl->BindAttribLocation(program, i, attribute_rows[i].name);
}

/* A bit for each location that it takes: those of an array, and of a matrix one a column. */
static unsigned locations_of(GLint first, GLint size, GLenum type)
{
    const char *name = contract_type_name(type);
    GLint count = size * (strncmp(name, "mat", 3) == 0 ? name[3] - '0' : 1);
    return ((1u << (count < 16 ? count : 16)) - 1) << first;
}

bool contract_move_attributes(GLuint program)
{
    enum { MOST = 16 }; /* locations that every GL has */
    char name[DECLARED_NAME];
    unsigned taken = (1u << BY_LOCATION) - 1;
    GLint count = 0, size;
    GLenum type;
    bool moves = false;
    gl->GetProgramiv(program, GL_ACTIVE_ATTRIBUTES, &count);
    for (int pass = 0; pass < 2; pass++)
        for (GLuint i = 0; i < (GLuint)count; i++) {
            gl->GetActiveAttrib(program, i, sizeof name, NULL, &size, &type, name);
            GLint at = gl->GetAttribLocation(program, name), to = 0;
            bool is_behind = at >= BY_LOCATION && at < MOST;
            while (!is_behind && to < MOST && locations_of(to, size, type) & taken)
                to++;
            to = is_behind ? at : to; /* bound as well, so that it stays */
            if (pass == 0 && is_behind)
                taken |= locations_of(at, size, type);
            else if (pass == 1 && at >= 0 && attribute_by_name(name) == ATTRIBUTE_COUNT && to < MOST &&
                     locations_of(to, size, type) >> MOST == 0) {
                gl->BindAttribLocation(program, (GLuint)to, name); /* without effect where its file has a location */
                taken |= locations_of(to, size, type);
                moves = moves || !is_behind;
            }
        }
    return moves;
}

/* By the map, by our names, else by its words: ATTRIBUTE_COUNT where none says it. */
static int attribute_of(const struct declared *attribute, const struct shader_set *set)
{
    const char *mapped = shader_map_find(&set->map, attribute->name);
    const int named = attribute_by_name(mapped ? mapped : attribute->name);
    const int found = mapped || named < ATTRIBUTE_COUNT ? named : attribute_by_words(attribute->name);
    return found < 0 ? ATTRIBUTE_COUNT : found;
}

/* One with a meaning, which its name or, where `by_location`, its place among ours says. */
static bool take_attribute(const struct declared *attribute, int meaning, bool by_location, bool compares,
                           struct contract *out, struct error *err)
{
    const char class = contract_type_name(attribute->type)[0];
    const bool is_bones = meaning == ATTRIBUTE_BONES || meaning == ATTRIBUTE_MORE_BONES;
    const bool is_weights = meaning == ATTRIBUTE_WEIGHTS || meaning == ATTRIBUTE_MORE_WEIGHTS;
    const bool is_ours = by_location || strcmp(attribute->name, attribute_rows[meaning].name) == 0;
    const char *fits = is_bones                                ? (by_location ? "iu" : "iufv")
                       : meaning == ATTRIBUTE_INFLUENCE_RANGE ? "u"
                       : is_weights && !by_location           ? "fviu"
                                                              : "fv";
    if (!strchr(fits, class))
        return error_set(err, "%s: attribute `%s` at location %d is %s; rigproof has `%s` there: %s", attribute->file,
                         attribute->name, attribute->location, contract_type_name(attribute->type),
                         attribute_rows[meaning].name,
                         is_bones                                ? "uvec4, or ivec4 with -1 in unused slots"
                         : meaning == ATTRIBUTE_INFLUENCE_RANGE ? "uvec2"
                                                                : "floats");
    const bool is_pair = attribute->size == 2 && (meaning == ATTRIBUTE_BONES || meaning == ATTRIBUTE_WEIGHTS);
    const int more = meaning + ATTRIBUTE_MORE_BONES - ATTRIBUTE_BONES;
    if (attribute->size > 1 && !is_pair)
        return error_set(err, "%s: attribute `%s` is an array of %d; rigproof gives arrays of two of bones and weights",
                         attribute->file, attribute->name, attribute->size);
    if (out->attributes >> meaning & 1 || (is_pair && out->attributes >> more & 1))
        return error_set(
            err, "%s: `%s` seems to be `%s`, and another attribute too; say with --shader-map %s=... what it is",
            attribute->file, attribute->name, attribute_rows[meaning].name, attribute->name);
    const struct influence_inputs one = {.signed_bones = class == 'i',
                                         .float_bones = class == 'f' || class == 'v',
                                         .minus_one = class == 'i' && (is_ours || compares)};
    struct influence_inputs *all = &out->influences;
    bool other = is_bones && (out->attributes & (1u << ATTRIBUTE_BONES | 1u << ATTRIBUTE_MORE_BONES)) != 0;
    if (other && (one.signed_bones != all->signed_bones || one.float_bones != all->float_bones))
        return error_set(err, "%s: `bones` and `more_bones` must both be ivec4 or both uvec4", attribute->file);
    if (is_bones)
        *all = (struct influence_inputs){one.signed_bones, one.minus_one, one.float_bones, all->byte_weights};
    all->byte_weights |= is_weights && class != 'f' && class != 'v';
    out->attributes |= 1u << meaning;
    out->at[meaning] = attribute->location;
    if (is_pair) {
        out->attributes |= 1u << more;
        out->at[more] = attribute->location + 1;
    }
    int columns, rows;
    type_shape(attribute->type, &columns, &rows);
    if (meaning == ATTRIBUTE_BONES)
        out->bone_slots = rows;
    return true;
}

/* Takes the first of `bones1` and `bones2` for `bones`, where that is not there. */
static void count_sets_from_one(const struct declared *found, int *meanings, int count)
{
    for (int first = ATTRIBUTE_BONES; first <= ATTRIBUTE_WEIGHTS; first++) {
        const int more = first + ATTRIBUTE_MORE_BONES - ATTRIBUTE_BONES;
        int least = -1;
        bool has_first = false;
        for (int i = 0; i < count; i++) {
            has_first = has_first || meanings[i] == first;
            if (meanings[i] == more && (least < 0 || strcmp(found[i].name, found[least].name) < 0))
                least = i;
        }
        if (least >= 0 && !has_first)
            meanings[least] = first;
    }
}

bool attributes_read(GLuint program, const struct shader_text *vertex, struct shader_set *set, struct contract *out,
                     struct error *err)
{
    enum { MOST = 32 };
    struct declared found[MOST] = {0};
    int meanings[MOST], count = 0;
    GLint active = 0;
    bool ours = true, compares = false;
    gl->GetProgramiv(program, GL_ACTIVE_ATTRIBUTES, &active);
    for (int i = 0; i < vertex->file_count; i++)
        compares = compares || (vertex->files[i].is_users && shader_compares_minus_one(vertex->files[i].text));
    for (GLuint i = 0; i < (GLuint)active && count < MOST; i++) {
        struct declared *at = &found[count];
        gl->GetActiveAttrib(program, i, sizeof at->name, NULL, &at->size, &at->type, at->name);
        at->location = gl->GetAttribLocation(program, at->name);
        shader_cut_index(at->name);
        at->file = shader_text_find_word(vertex, at->name)->shown;
        if (at->location < 0) /* gl_VertexID */
            continue;
        for (int k = 0; k < count; k++)
            if (locations_of(at->location, at->size, at->type) &
                locations_of(found[k].location, found[k].size, found[k].type))
                return error_set(err, "%s: the attributes `%s` and `%s` are both at location %d", at->file,
                                 found[k].name, at->name, at->location);
        meanings[count] = attribute_of(at, set);
        ours = ours &&
               (meanings[count] == ATTRIBUTE_COUNT || meanings[count] == at->location || at->location >= BY_LOCATION);
        count++;
    }
    count_sets_from_one(found, meanings, count);
    for (int i = 0; i < count; i++)
        if (meanings[i] < ATTRIBUTE_COUNT && !take_attribute(&found[i], meanings[i], false, compares, out, err))
            return false;
    for (int i = 0; i < count; i++) {
        const GLint at = found[i].location;
        if (meanings[i] < ATTRIBUTE_COUNT)
            continue;
        if (ours && at < BY_LOCATION && !(out->attributes >> at & 1)) {
            if (!take_attribute(&found[i], at, true, compares, out, err))
                return false;
            continue;
        }
        int columns, rows;
        type_shape(found[i].type, &columns, &rows);
        out->unknown |= locations_of(at, found[i].size, found[i].type);
        for (int c = 0; c < 3 && columns > 1; c++)
            out->identity[c] |= 1u << (at + c);
        shader_set_warn(set, "attribute `%s` (%s) of %s is not one that rigproof gives: it is %s at every vertex",
                        found[i].name, contract_type_name(found[i].type), found[i].file,
                        columns > 1 ? "the identity" : "0 0 0 1");
    }
    return true;
}
