/* The tree of bones with what they hold, as a table. */
#include "base/utf8.h"
#include "data/record/bones.h"

/* Longer names push their line to the right; deeper rows stay where the deepest shown is. */
enum { DEEPEST = 20, WIDEST = 48 };

static int indent_of(const struct bone_row *row)
{
    return 2 * (int)(row->depth < DEEPEST ? row->depth : DEEPEST);
}

/* Characters as shown, not bytes, of which UTF-8 has up to four. */
static int characters(const char *name)
{
    struct text shown = {0};
    text_add_name(&shown, name);
    int count = (int)utf8_count(text_string(&shown));
    text_release(&shown);
    return count;
}

static int at_most(int a, int b)
{
    return a < b ? a : b;
}

struct widths {
    int name;
    int mesh;
};

static struct widths measure(const struct bone_account *account)
{
    struct widths widths = {4, 4};
    for (uint32_t i = 0; i < account->row_count; i++) {
        const struct bone_row *row = &account->rows[i];
        int width = indent_of(row) + at_most(characters(row->name) + (row->is_bone ? 0 : 2), WIDEST);
        widths.name = width > widths.name ? width : widths.name;
        for (uint32_t h = 0; h < row->hold_count; h++) {
            int length = at_most(characters(row->holds[h].label), WIDEST);
            widths.mesh = length > widths.mesh ? length : widths.mesh;
        }
    }
    return widths;
}

static void write_marks(const struct bone_row *row, struct text *out)
{
    bool holds = false;
    for (uint32_t h = 0; h < row->hold_count; h++)
        holds = holds || row->holds[h].vertices > 0;
    if (row->is_leaf)
        text_add(out, "  leaf");
    if (row->is_end)
        text_add(out, "  end");
    if (row->is_bone && !holds)
        text_add(out, "  no weights");
}

static void write_name(const struct bone_row *row, int width, struct text *out)
{
    int written = indent_of(row) + characters(row->name) + (row->is_bone ? 0 : 2);
    text_addf(out, "  %*s%s", indent_of(row), "", row->is_bone ? "" : "(");
    text_add_name(out, row->name);
    text_addf(out, "%s%*s  %-7s", row->is_bone ? "" : ")", written < width ? width - written : 0, "",
              row->color ? row->color : "");
}

static void write_hold(const struct bone_hold *hold, int mesh_width, struct text *out)
{
    int blanks = mesh_width - at_most(characters(hold->label), mesh_width);
    text_addf(out, "  %7u  ", hold->palette);
    text_add_name(out, hold->label);
    text_addf(out, "%*s  %8u", blanks, "", hold->vertices);
    if (hold->vertices > 0)
        text_addf(out, "  %10.3f  %7.4f  %6.2f%%  %10.4f", (double)hold->sum, (double)hold->largest,
                  100.0 * (double)hold->share, (double)hold->influence_radius);
    else
        text_addf(out, "  %10s  %7s  %6s   %10s", "-", "-", "-", "-");
}

static void write_row(const struct bone_row *row, const struct widths *widths, struct text *out)
{
    write_name(row, widths->name, out);
    for (uint32_t h = 0; h < row->hold_count; h++) {
        if (h > 0)
            text_addf(out, "\n%*s", widths->name + 11, "");
        write_hold(&row->holds[h], widths->mesh, out);
        if (h == 0)
            write_marks(row, out);
    }
    if (row->hold_count == 0)
        write_marks(row, out);
    while (out->data[out->size - 1] == ' ')
        out->data[--out->size] = '\0';
    text_add(out, "\n");
}

static void write_mesh(const struct mesh_weights *mesh, struct text *out)
{
    text_add(out, "  ");
    text_add_name(out, mesh->label);
    text_addf(out, ": %u vertices, ", mesh->vertices);
    if (mesh->bones == 0) {
        text_add(out, "rigid\n");
        return;
    }
    text_addf(out, "%u bone%s\n      influences per vertex:", mesh->bones, mesh->bones == 1 ? "" : "s");
    for (uint32_t i = 0; i < mesh->influence_slots; i++)
        if (mesh->influences[i] > 0)
            text_addf(out, "  %u%s: %u", i, i == 16 ? "+" : "", mesh->influences[i]);
    text_addf(out, ";  at most %u\n      weights of a vertex add up to: ", mesh->most_influences);
    text_add_float(out, mesh->least_sum);
    if (mesh->largest_sum > mesh->least_sum) {
        text_add(out, " to ");
        text_add_float(out, mesh->largest_sum);
    }
    text_add(out, "\n");
}

void bones_write_text(const struct scene *scene, struct text *out)
{
    struct arena *arena = arena_require(snapshot_bytes(scene));
    const struct bone_account *account = bones_gather(scene, arena);
    struct widths widths = measure(account);
    text_add_name(out, account->model);
    text_addf(out, " (Assimp %s)\n%u bone%s, %u palette entr%s; nodes in parentheses are no bones\n\n",
              account->assimp_version, account->bone_count, account->bone_count == 1 ? "" : "s", account->palette_count,
              account->palette_count == 1 ? "y" : "ies");
    text_addf(out, "  %-*s  colour   palette  %-*s  vertices         sum  largest    share       reach\n", widths.name,
              "node", widths.mesh, "mesh");
    for (uint32_t i = 0; i < account->row_count; i++)
        write_row(&account->rows[i], &widths, out);
    text_addf(out, "\nmeshes: %u\n", account->mesh_count);
    for (uint32_t i = 0; i < account->mesh_count; i++)
        write_mesh(&account->meshes[i], out);
    arena_destroy(arena);
}
