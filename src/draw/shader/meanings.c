#include "draw/shader/meanings.h"

#include <ctype.h>
#include <stdio.h>

#include "base/decimal.h"
#include "base/names.h"
#include "draw/shader/programs.h"

/*
 * Words are in lower case without underscores, and without what is in front of names to say what kind they are. They
 * are those of LearnOpenGL, ogldev, articles on glTF and matrix palettes, glTF itself, three.js, Babylon.js,
 * PlayCanvas.
 */
const struct attribute_row attribute_rows[ATTRIBUTE_COUNT] = {
    [ATTRIBUTE_POSITION] = {"position", "pos position positions vertex coord coords xyz"},
    [ATTRIBUTE_NORMAL] = {"normal", "norm normal normals nrm nor"},
    [ATTRIBUTE_UV] = {"uv", "uv uvs tex texcoord texcoords texturecoord texturecoords textureuv "
                     "texcoordinate texcoordinates texuv st"},
    [ATTRIBUTE_COLOR] = {"color", "color colors colour colours rgba"},
    [ATTRIBUTE_BONES] = {"bones",
        "bone bones boneid boneids bonesid bonesids boneindex boneindexes boneindices bonesindices joint joints "
        "jointid jointids jointindex jointindices blendindex blendindices skinindex skinindices matricesindices"},
    [ATTRIBUTE_WEIGHTS] = {"weights", "weight weights boneweight boneweights bonesweight bonesweights jointweight "
                          "jointweights jointsweights blendweight blendweights skinweight skinweights matricesweights"},
    [ATTRIBUTE_MORE_BONES] = {"more_bones", "morebones matricesindicesextra"},
    [ATTRIBUTE_MORE_WEIGHTS] = {"more_weights", "moreweights matricesweightsextra"},
    [ATTRIBUTE_INFLUENCE_RANGE] = {"influence_range", ""},
    [ATTRIBUTE_TANGENT] = {"tangent", "tangent tangents tan tang"},
    [ATTRIBUTE_MORE_UV] = {"more_uv", ""},
};

static const struct {
    const char *name; /* in a map */
    const char *types;
    const char *words;
} meanings[MEANING_COUNT] = {
    [MEANING_PROJECTION] =
        {"projection", "mat4",
         "projection proj p projectionmatrix projmatrix projectionmat matprojection cameratoprojection "
         "cameratoclip viewtoclip viewtoprojection perspective"},
    [MEANING_VIEW] = {"view", "mat4 mat3",
                      "view v viewmatrix viewmat matview worldtocamera worldtoview scenetocamera cameramatrix"},
    [MEANING_MODEL] =
        {"model", "mat4 mat3",
         "model m world modelmatrix modelmat matmodel worldmatrix localtoworld modeltoworld objecttoworld"},
    [MEANING_VIEW_PROJECTION] =
        {"view_projection", "mat4 mat3",
         "viewprojection viewproj vp viewprojectionmatrix viewprojmatrix projectionview projview pv "
         "worldtoclip worldtoprojection"},
    [MEANING_MODEL_VIEW] = {"model_view", "mat4 mat3",
                            "modelview mv modelviewmatrix worldview localtocamera localtoview"},
    [MEANING_MODEL_VIEW_PROJECTION] =
        {"model_view_projection", "mat4 mat3",
         "modelviewprojection modelviewproj mvp mvpmatrix wvp wvpmatrix "
         "modelviewprojectionmatrix worldviewprojection worldviewproj localtoclip localtoprojection"},
    [MEANING_NORMAL_MATRIX] = {"normal_matrix", "mat3 mat4",
                               "normalmatrix normalmat matnormal modelinversetranspose worldinversetranspose"},
    [MEANING_CAMERA_POSITION] =
        {"camera_position", "vec3 vec4",
         "cameraposition camerapos viewposition viewpos eye eyeposition eyepos cameraworldposition "
         "cameraworldpos eyeworldpos"},
    [MEANING_TIME] = {"time", "float", "time"},
    [MEANING_BONE_COUNT] = {"bone_count", "int uint", "bonecount bonescount numbones jointcount numjoints"},
    [MEANING_BONES] =
        {"bones", "mat4 mat4x3 mat3x4 samplerBuffer",
         "bones bonematrices bonematrix bonesmatrices finalbonesmatrices finalbonematrices bonemat bonetransform "
         "bonetransforms bonestransforms globalbonetransform globalbonetransforms bonetransformtexture bonetexture "
         "bonebuffer bonepalette boneblock bonedata boneubo bonessbo joints jointmatrices jointmatrix jointmat "
         "jointtransforms palette matrixpalette skeleton skinmatrices skinningmatrices skinmatrix"},
    [MEANING_TEXTURE] = {"texture", "sampler2D",
                         "texture texture0 tex tex0 sampler diffuse diffusetexture diffusemap texturediffuse "
                         "texturediffuse1 albedo albedotexture albedomap basecolortexture basetexture "
                         "colormap colourmap"},
};

/* Says whether `word` is one of these, with blanks between. */
static bool is_among(const char *word, const char *words)
{
    const size_t length = strlen(word);
    for (const char *c = words ? words : ""; *c; c += strcspn(c, " "), c += *c == ' ')
        if (length > 0 && strcspn(c, " ") == length && memcmp(c, word, length) == 0)
            return true;
    return false;
}

enum { WORD_MOST = 64 };

/* In lower case, without underscores. */
static const char *plain(const char *name, char out[static WORD_MOST])
{
    size_t count = 0;
    for (; *name && *name != '[' && count < WORD_MOST - 1; name++)
        if (*name != '_')
            out[count++] = (char)tolower((unsigned char)*name);
    out[count] = '\0';
    return out;
}

/* Behind what says a name's kind, if anything: "a_", "in", "u", before an underscore or an upper-case letter. */
static const char *behind_kind(const char *name)
{
    static const char *const kinds[] = {"attribute", "attrib", "attr", "vertex", "vert", "vtx", "in",
                                        "out",       "frag",   "fs",   "vs",     "a",    "v",   "u",
                                        "g",         "m",      "i",    "f",      "s",    "o"};
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        size_t length = strlen(kinds[i]);
        const char *rest = name + length;
        if (strncmp(name, kinds[i], length) == 0 && (*rest == '_' || isupper((unsigned char)*rest)))
            return rest + (*rest == '_');
    }
    return name;
}

/* The last part of a name, then behind what says its kind, up to twice. An element of an array of structs is none. */
static bool has_word(const char *name, const char *words)
{
    char word[WORD_MOST];
    const char *dot = strrchr(name, '.'), *part = dot ? dot + 1 : name;
    for (int i = 0; i < 3 && !strstr(name, "]."); i++, part = behind_kind(part))
        if (is_among(plain(part, word), words))
            return true;
    return false;
}

int attribute_by_name(const char *name)
{
    int i = 0;
    while (i < ATTRIBUTE_COUNT && strcmp(attribute_rows[i].name, name) != 0)
        i++;
    return i;
}

int attribute_by_words(const char *name)
{
    for (int i = 0; i < ATTRIBUTE_COUNT; i++)
        if (has_word(name, attribute_rows[i].words))
            return i;
    char stem[WORD_MOST]; /* sets are counted: "TEXCOORD_0", "JOINTS_1", "boneIds2" */
    const size_t length = strlen(name);
    if (length == 0 || length >= sizeof stem || !strchr("012", name[length - 1]))
        return -1;
    snprintf(stem, sizeof stem, "%.*s", (int)length - 1, name);
    const int set = attribute_by_words(stem);
    return name[length - 1] == '0'     ? set
           : set == ATTRIBUTE_BONES   ? ATTRIBUTE_MORE_BONES
           : set == ATTRIBUTE_WEIGHTS ? ATTRIBUTE_MORE_WEIGHTS
                                      : -1;
}

enum meaning meaning_by_words(const char *name)
{
    for (int i = 0; i < MEANING_COUNT; i++)
        if (has_word(name, meanings[i].words))
            return (enum meaning)i;
    return MEANING_NONE;
}

bool meaning_fits(enum meaning meaning, const char *type, uint32_t count)
{
    if (meaning == MEANING_VALUES)
        return type[0] != 's' && type[0] != 'o'; /* no sampler, none that is not known */
    bool is_camera = meaning <= MEANING_NORMAL_MATRIX; /* many of a kind are not the camera's */
    return meaning != MEANING_NONE && is_among(type, meanings[meaning].types) && (count == 1 || !is_camera);
}

enum meaning meaning_by_name(const char *name)
{
    for (int i = 0; i < MEANING_COUNT; i++)
        if (meanings[i].name && strcmp(meanings[i].name, name) == 0)
            return (enum meaning)i;
    return MEANING_NONE;
}

bool output_means(const char *name, const struct shader_map *map, const char *ours)
{
    static const struct {
        const char *ours, *mapped, *words;
    } outputs[] = {
        {"skinned_normal", "normal", "norm normal normals normal0 worldnormal normalworld normalout nrm"},
        {"skinned_position", "position",
         "worldpos worldpos0 worldposition fragpos fragposition positionworld position pos position0"},
        {"surface_uv", "uv", "uv uv0 tex tex0 texcoord texcoords texcoord0 texcoords0 texturecoord texturecoords st"},
        {"surface_color", "color", "color color0 colour vertexcolor"},
    };
    const char *said = shader_map_find(map, name);
    for (size_t i = 0; i < sizeof outputs / sizeof outputs[0]; i++)
        if (strcmp(outputs[i].ours, ours) == 0)
            return said ? strcmp(said, outputs[i].mapped) == 0 : has_word(name, outputs[i].words);
    return false;
}

const char *shader_map_find(const struct shader_map *map, const char *name)
{
    const struct shader_map_entry *entry = NAMED(map->entries, map->count, name);
    return entry ? entry->value : NULL;
}

int shader_map_numbers(const char *text, float out[static 16])
{
    int count = 0;
    for (const char *c = text; count < 16; c++) {
        size_t length = strcspn(c, ":");
        double number;
        if (!decimal_read(c, length, false, &number))
            return 0;
        out[count++] = (float)number;
        c += length;
        if (*c == '\0')
            return count;
    }
    return 0;
}

bool shader_map_check(const char *value, struct error *err)
{
    float ignored[16];
    SCOPED(text) list = {0};
    if (shader_map_numbers(value, ignored) > 0 || meaning_by_name(value) != MEANING_NONE || contract_knows(value))
        return true;
    for (int i = 0; i < ATTRIBUTE_COUNT; i++)
        text_addf(&list, "%s, ", attribute_rows[i].name);
    for (int i = 0; i < MEANING_COUNT; i++)
        if (meanings[i].name && i != MEANING_BONES)
            text_addf(&list, "%s, ", meanings[i].name);
    error_set(err,
              "`%s` is nothing that a shader is given; there are: %snumbers as in 1:0:0, and the uniforms of "
              "shaders/README.md",
              value, text_string(&list));
    return false;
}
