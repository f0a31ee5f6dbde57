#include "import/scene/convert.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/sort.h"
#include "data/affine.h"
#include "import/dae/dae_file.h"

/*
 * A COLLADA file as Assimp is to read it. Up to 6.0.5 it finds instanced nodes at the top of <library_nodes> and in the
 * scene only, throws where there is a morph, aborts at <skew>, gives a controller one skeleton, looks for joints by id
 * and name all over the scene before their sid, and takes a blank before the first number of a skin's weights for a
 * number.
 */

/* [from, to) of the file becomes `text`. */
struct edit {
    const char *from, *to, *text;
};

struct edit_list {
    size_t count;
    struct edit *edits;
};

struct rewriting {
    struct conversion *c;
    const struct dae_file *file;
    uint32_t visual_scene; /* 0: none is instanced */
    bool drops_clips;      /* they are read from the file itself */
    bool *is_added;        /* of each element, whether it is in `nodes` */
    bool *is_named;        /* of each element, whether it has got an id */
    size_t mended;
    struct edit_list list;
    struct text nodes, controllers; /* to be added */
};

static void add_edit(struct edit_list *list, const char *from, const char *to, const char *text)
{
    list->edits = memory_room(list->edits, list->count, sizeof *list->edits);
    list->edits[list->count++] = (struct edit){from, to, text};
}

static int by_place(const void *a, const void *b)
{
    const struct edit *x = a, *y = b;
    return (x->from > y->from) - (x->from < y->from);
}

/* Appends [from, to) with the edits in it; of those that overlap the first one counts. */
static void apply(struct edit_list *list, const char *from, const char *to, struct text *out)
{
    sort_items(list->edits, list->count, sizeof *list->edits, by_place);
    for (size_t i = 0; i < list->count; i++) {
        const struct edit *edit = &list->edits[i];
        if (edit->from < from || edit->to > to)
            continue;
        text_add_bytes(out, from, (size_t)(edit->from - from));
        text_add(out, edit->text);
        from = edit->to;
    }
    text_add_bytes(out, from, (size_t)(to - from));
}

static void set_reference(struct rewriting *r, uint32_t element, const char *name, struct slice id)
{
    struct slice old = dae_attribute(r->file, element, name);
    add_edit(&r->list, old.data, old.data + old.length,
             arena_printf(r->c->scene->arena, "#%.*s", (int)id.length, id.data));
}

/* The geometry or the skin below a controller's morphs; 0: it has none. */
static uint32_t below_morphs(const struct dae_file *file, uint32_t controller)
{
    enum { DEEPEST = 16 };
    for (int i = 0; i < DEEPEST && controller; i++) {
        uint32_t morph = dae_is(file, controller, "controller") ? dae_child(file, controller, "morph") : 0;
        if (morph == 0)
            return i > 0 ? controller : 0;
        controller = dae_reference(file, morph, "source", "geometry");
    }
    return 0;
}

/* Instead of a morph controller what it morphs is drawn. */
static void edit_morph(struct rewriting *r, uint32_t element, const char *attribute)
{
    const struct dae_file *file = r->file;
    uint32_t controller = dae_reference(file, element, attribute, "controller");
    uint32_t base = controller ? below_morphs(file, controller) : 0;
    const struct dae_element *instance = &file->elements[element];
    if (base == 0)
        return;
    warn(r->c, "dae-morph", "the morph controller \"%s\" is not played: its mesh keeps its base shape",
         copy_name(r->c, file->elements[controller].id));
    set_reference(r, element, attribute, file->elements[base].id);
    if (dae_is(file, element, "skin") || dae_is(file, base, "controller"))
        return;
    add_edit(&r->list, instance->name.data, instance->name.data + instance->name.length, "instance_geometry");
    if (instance->close < instance->end)
        add_edit(&r->list, instance->close, instance->end, "</instance_geometry>");
}

/* The node that a joint means: the one of that sid below the skeletons of the instance. 0: there is none. */
static uint32_t meant_joint(const struct dae_file *file, uint32_t instance, struct slice joint)
{
    for (uint32_t s = dae_child(file, instance, "skeleton"); s != 0; s = dae_next(file, s, "skeleton")) {
        struct slice url = dae_inside(file, s);
        url = dae_word(&url);
        uint32_t root = url.length > 1 ? dae_find(file, (struct slice){url.data + 1, url.length - 1}, "node") : 0;
        for (uint32_t n = root; n != 0 && dae_is_below(file, n, root); n = dae_following(file, n, "node"))
            if (slices_are_one(dae_attribute(file, n, "sid"), joint))
                return n;
    }
    return 0;
}

/* The node of the scene that Assimp takes: the first of that id or name, else of that sid. 0: there is none. */
static uint32_t found_joint(const struct rewriting *r, struct slice joint)
{
    const struct dae_file *file = r->file;
    uint32_t of_sid = 0;
    for (uint32_t n = r->visual_scene;
         (n = dae_following(file, n, "node")) != 0 && dae_is_below(file, n, r->visual_scene);) {
        if (slices_are_one(file->elements[n].id, joint) || slices_are_one(dae_attribute(file, n, "name"), joint))
            return n;
        of_sid = of_sid == 0 && slices_are_one(dae_attribute(file, n, "sid"), joint) ? n : of_sid;
    }
    return of_sid;
}

/* A joint's id, which it gets where it has none. */
static struct slice id_of_joint(struct rewriting *r, uint32_t joint)
{
    const struct dae_element *node = &r->file->elements[joint];
    if (joint == 0 || node->id.length > 0)
        return node->id;
    const struct slice sid = dae_attribute(r->file, joint, "sid");
    const char *id = arena_printf(r->c->scene->arena, "%.*s-of-%u", (int)sid.length, sid.data, joint);
    const char *at = node->name.data + node->name.length;
    if (!r->is_named[joint])
        add_edit(&r->list, at, at, arena_printf(r->c->scene->arena, " id=\"%s\"", id));
    r->is_named[joint] = true;
    return slice_of(id);
}

/* The joints of an instance's skin, by the ids of the nodes where Assimp finds others. NULL: it finds them. */
static const char *joints_of(struct rewriting *r, uint32_t instance, struct slice list)
{
    SCOPED(text) names = {0};
    uint32_t moved = 0;
    for (struct slice word; (word = dae_word(&list)).length > 0;) {
        const uint32_t meant = meant_joint(r->file, instance, word);
        const bool moves = meant != 0 && found_joint(r, word) != meant;
        const struct slice name = moves ? id_of_joint(r, meant) : word;
        moved += moves;
        text_addf(&names, "%.*s ", (int)name.length, name.data);
    }
    return moved ? arena_string(r->c->scene->arena, text_string(&names)) : NULL;
}

/* Assimp takes a blank before the first number of these for a number, or throws. Returns how many. */
static size_t drop_blanks(const struct dae_file *file, uint32_t i, struct edit_list *list)
{
    const struct dae_element *element = &file->elements[i];
    const char *blank = element->inside;
    if (!dae_is(file, i, "v") && !dae_is(file, i, "vcount") && !dae_is(file, i, "color"))
        return 0;
    while (blank < element->close && strchr(" \t\r\n", *blank))
        blank++;
    if (blank > element->inside)
        add_edit(list, element->inside, blank, "");
    return blank > element->inside && dae_is(file, element->parent, "vertex_weights");
}

/* A controller of its own, with ids of its own, for an instance with other joints than the first one has. */
static void copy_controller(struct rewriting *r, uint32_t instance, uint32_t controller, struct slice list,
                            const char *joints)
{
    const struct dae_file *file = r->file;
    const struct dae_element *old = &file->elements[controller];
    const char *suffix = arena_printf(r->c->scene->arena, "-of-%u", instance);
    struct edit_list edits = {0};
    for (uint32_t i = controller; i < file->count && dae_is_below(file, i, controller); i++) {
        const struct slice id = file->elements[i].id, source = dae_attribute(file, i, "source");
        const uint32_t target = dae_reference(file, i, "source", "source");
        if (id.length > 0)
            add_edit(&edits, id.data + id.length, id.data + id.length, suffix);
        if (target && dae_is_below(file, target, controller))
            add_edit(&edits, source.data + source.length, source.data + source.length, suffix);
        drop_blanks(file, i, &edits);
    }
    if (joints)
        add_edit(&edits, list.data, list.data + list.length, joints);
    apply(&edits, old->begin, old->end, &r->controllers);
    free(edits.edits);
    set_reference(r, instance, "url",
                  slice_of(arena_printf(r->c->scene->arena, "%.*s%s", (int)old->id.length, old->id.data, suffix)));
}

/* Names of nodes are taken away where joints are renamed: Assimp takes a name for an id. */
static void edit_skin(struct rewriting *r, uint32_t instance)
{
    const struct dae_file *file = r->file;
    const uint32_t controller = dae_reference(file, instance, "url", "controller");
    uint32_t skin = controller ? dae_child(file, controller, "skin") : 0, first = 0;
    uint32_t joints = skin ? dae_child(file, skin, "joints") : 0,
             source = joints ? dae_input(file, joints, "JOINT") : 0;
    const struct slice list = dae_source_of(file, source).content;
    if (source == 0 || dae_child(file, source, "IDREF_array"))
        return;
    do
        first = dae_following(file, first, "instance_controller");
    while (first != instance && dae_reference(file, first, "url", "controller") != controller);
    const char *own = joints_of(r, instance, list), *other = first != instance ? joints_of(r, first, list) : NULL;
    if (first == instance ? own == NULL : strcmp(own ? own : "", other ? other : "") == 0)
        return;
    r->mended++;
    for (uint32_t n = 0; (n = dae_following(file, n, "node")) != 0;) {
        struct slice name = dae_attribute(file, n, "name");
        if (name.length > 0)
            add_edit(&r->list, name.data, name.data + name.length, "");
    }
    if (first == instance)
        add_edit(&r->list, list.data, list.data + list.length, own);
    else
        copy_controller(r, instance, controller, list, own);
}

/* Assimp reads as many numbers of an array as its count says, and past their end where an accessor asks for more. */
static void edit_counts(struct rewriting *r, uint32_t source)
{
    const struct dae_file *file = r->file;
    const struct dae_source asked = dae_source_of(file, source);
    const uint32_t array = dae_child(file, source, "float_array"), common = dae_child(file, source, "technique_common"),
                   accessor = common ? dae_child(file, common, "accessor") : 0;
    if (!array || !accessor || asked.stride == 0 || dae_reference(file, accessor, "source", "float_array") != array)
        return;
    const struct slice said = dae_attribute(file, array, "count"), items = dae_attribute(file, accessor, "count");
    size_t numbers = 0, width = 0;
    for (struct slice rest = asked.content; dae_word(&rest).length > 0;)
        numbers++;
    for (uint32_t p = dae_child(file, accessor, "param"); p != 0; p = dae_next(file, p, "param"))
        width++;
    const size_t behind = asked.offset + width, most = numbers < behind ? 0 : (numbers - behind) / asked.stride + 1;
    const bool says_less = said.length > 0 && strtoul(said.data, NULL, 10) < numbers;
    if (says_less)
        add_edit(&r->list, said.data, said.data + said.length, arena_printf(r->c->scene->arena, "%zu", numbers));
    if (items.length > 0 && asked.count > most)
        add_edit(&r->list, items.data, items.data + items.length, arena_printf(r->c->scene->arena, "%zu", most));
    if (says_less || asked.count > most)
        warn(r->c, "dae-lost", "the counts of source \"%s\" are not those of its %zu numbers",
             copy_name(r->c, file->elements[source].id), numbers);
}

/* Assimp takes three rows of a matrix. One that was inverted though a scale of 0 was in it may need the fourth. */
static void warn_last_rows(struct rewriting *r, uint32_t skin)
{
    const uint32_t joints = dae_child(r->file, skin, "joints"),
                   source = joints ? dae_input(r->file, joints, "INV_BIND_MATRIX") : 0;
    const struct dae_source list = dae_source_of(r->file, source);
    double *numbers = source && list.stride == 16 ? dae_source_numbers(&list) : NULL;
    uint32_t others = 0;
    for (size_t k = 0; numbers && k < list.count; k++) {
        const double *row = numbers + 16 * k + 12;
        others += fabs(row[0]) + fabs(row[1]) + fabs(row[2]) + fabs(row[3] - 1) > 1e-3;
    }
    if (others > 0)
        warn(r->c, "dae-lost", "the last row of %u inverse bind matrices of \"%s\" is not 0 0 0 1, and is left out",
             others, copy_name(r->c, r->file->elements[source].id));
    free(numbers);
}

static void edit_element(struct rewriting *r, uint32_t i)
{
    static const char *const instances[][2] = {
        {"instance_geometry", "geometry"}, {"instance_controller", "controller"}, {"instance_node", "node"}};
    const struct dae_file *file = r->file;
    const struct dae_element *element = &file->elements[i];
    const bool is_morph = dae_is(file, i, "controller") && dae_child(file, i, "morph"),
               is_skew = dae_is(file, i, "skew");
    for (int k = 0; k < 3; k++) {
        if (!dae_is(file, i, instances[k][0]))
            continue;
        const struct slice url = dae_attribute(file, i, "url");
        const uint32_t target = dae_reference(file, i, "url", instances[k][1]);
        if (target == 0 || (k == 0 && !dae_child(file, target, "mesh")))
            warn(r->c, "dae-lost", "%s \"%s\" is left out: it is no %s in this file", instances[k][0],
                 copy_name(r->c, url), k == 0 ? "mesh" : instances[k][1]);
        if (k == 1) {
            edit_skin(r, i);
            edit_morph(r, i, "url");
        }
        if (k != 2 || target == 0 || r->is_added[target] ||
            dae_is(file, file->elements[target].parent, "library_nodes"))
            continue;
        r->is_added[target] = true;
        r->mended++;
        apply(&(struct edit_list){0}, file->elements[target].begin, file->elements[target].end, &r->nodes);
    }
    if (dae_is(file, i, "skin")) {
        edit_morph(r, i, "source");
        warn_last_rows(r, i);
    }
    if (dae_is(file, i, "source"))
        edit_counts(r, i);
    if (is_skew)
        warn(r->c, "dae-lost", "a <skew> of node \"%s\" is left out",
             copy_name(r->c, file->elements[element->parent].id));
    if (is_morph || is_skew ||
        (r->drops_clips && (dae_is(file, i, "library_animations") || dae_is(file, i, "library_animation_clips"))))
        add_edit(&r->list, element->begin, element->end, "");
    r->mended += drop_blanks(file, i, &r->list);
}

/* Returns whether Assimp's animations would be others than the file's, or none of its nodes'. */
static bool has_odd_clips(const struct dae_file *file)
{
    bool odd = dae_following(file, 0, "animation_clip") != 0;
    for (uint32_t i = 0; (i = dae_following(file, i, "channel")) != 0 && !odd;) {
        struct slice target = dae_attribute(file, i, "target");
        odd = !target.length || !memchr(target.data, '/', target.length);
    }
    return odd;
}

const struct dae_file *dae_of(struct conversion *c)
{
    const struct blob *bytes = c->dae ? NULL : bytes_of(c);
    if (bytes) {
        c->dae = ARENA_NEW(c->scene->arena, struct dae_file, 1);
        dae_file_read(bytes, c->dae);
    }
    return c->dae;
}

bool dae_bind_shape(struct conversion *c, const struct mesh *mesh, uint32_t node, mat4 out)
{
    const struct dae_file *file = dae_of(c);
    const uint32_t element = file ? dae_find(file, slice_of(c->scene->nodes[node].name), "node") : 0;
    double *rows = NULL;
    for (uint32_t i = element ? dae_child(file, element, "instance_controller") : 0; i != 0 && !rows;
         i = dae_next(file, i, "instance_controller")) {
        const uint32_t controller = dae_reference(file, i, "url", "controller"),
                       skin = controller ? dae_child(file, controller, "skin") : 0,
                       geometry = skin ? below_morphs(file, dae_reference(file, skin, "source", "controller")) : 0,
                       shape = skin ? dae_child(file, skin, "bind_shape_matrix") : 0,
                       of = geometry ? geometry : skin ? dae_reference(file, skin, "source", "geometry") : 0;
        if (shape && of && slice_is(file->elements[of].id, mesh->name))
            rows = dae_numbers(dae_inside(file, shape).data, 16);
    }
    float upper[12] = {0};
    for (int k = 0; k < 12 && rows; k++)
        upper[k] = (float)rows[k];
    affine_from_rows(upper, out);
    const bool found = rows != NULL;
    free(rows);
    return found;
}

void dae_rewrite(struct conversion *c, struct text *out)
{
    const struct dae_file *file = dae_of(c);
    if (!file)
        return;
    const struct dae_element *root = &file->elements[dae_child(file, 0, "COLLADA")];
    struct rewriting r = {.c = c,
                          .file = file,
                          .is_added = memory_new(file->count, sizeof *r.is_added),
                          .is_named = memory_new(file->count, sizeof *r.is_named)};
    const uint32_t instance = dae_following(file, 0, "instance_visual_scene");
    r.visual_scene = instance ? dae_reference(file, instance, "url", "visual_scene") : 0;
    r.drops_clips = (c->repairs & REPAIR_DAE_CLIPS) && has_odd_clips(file);
    for (uint32_t i = 1; i < file->count && r.nodes.size + r.controllers.size <= 4 * c->content.size; i++)
        edit_element(&r, i);
    if (r.list.count + r.nodes.size > 0) {
        apply(&r.list, file->elements[0].begin, root->close, out);
        text_addf(out, "<library_nodes>%s</library_nodes>", text_string(&r.nodes));
        text_addf(out, "<library_controllers>%s</library_controllers>%s", text_string(&r.controllers), root->close);
    }
    if (r.mended > 0)
        repaired(c, "dae-instances",
                 "%zu nodes, skins and joints of the file that Assimp %s leaves out or takes for others", r.mended,
                 c->scene->assimp_version);
    free(r.is_added);
    free(r.is_named);
    free(r.list.edits);
    text_release(&r.nodes);
    text_release(&r.controllers);
}
