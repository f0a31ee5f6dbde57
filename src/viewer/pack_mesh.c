
#include "base/memory.h"
#include "data/scene/upload_format.h"
#include "viewer/packer.h"

/* Packs the number of influences of each vertex, and all bones and weights in a row. */
static void pack_influences(struct packer *packer, const struct mesh *mesh)
{
    const size_t all = mesh->influence_first[mesh->vertex_count];
    const bool is_quantised = packer->form == VIEWER_QUANTISED;
    FREED uint32_t *counts = memory_new(mesh->vertex_count, sizeof *counts), *bones = memory_new(all, sizeof *bones);
    FREED uint32_t *kept_bytes = memory_new(all, sizeof *kept_bytes);
    FREED uint8_t *bytes = memory_new(all, 1);
    FREED float *weights = memory_new(all, sizeof *weights);
    size_t kept = 0;
    for (uint32_t v = 0; v < mesh->vertex_count; v++) {
        const uint32_t first = mesh->influence_first[v], end = mesh->influence_first[v + 1];
        weights_to_bytes(mesh->influences + first, end - first, bytes + first);
        for (uint32_t i = first; i < end; i++) {
            if (is_quantised && bytes[i] == 0)
                continue;
            counts[v]++;
            bones[kept] = mesh->influences[i].bone;
            kept_bytes[kept] = bytes[i];
            weights[kept++] = mesh->influences[i].weight;
        }
    }
    pack_indices(packer, "counts", counts, mesh->vertex_count);
    pack_indices(packer, "bones", bones, kept);
    if (is_quantised)
        pack_indices(packer, "bytes", kept_bytes, kept); /* weights in 255ths */
    else
        pack_floats(packer, "weights", weights, kept, 1, EXACT);
}

static void pack_skin(struct packer *packer, const struct mesh *mesh)
{
    FREED uint32_t *nodes = memory_new(mesh->bone_count, sizeof *nodes);
    for (uint32_t b = 0; b < mesh->bone_count; b++)
        nodes[b] = mesh->bones[b].node;
    json_open_object(&packer->json, "skin", JSON_LINES);
    pack_indices(packer, "nodes", nodes, mesh->bone_count);
    pack_matrices(packer, "mesh_to_bone", mesh->bones->mesh_to_bone, sizeof *mesh->bones, mesh->bone_count);
    pack_influences(packer, mesh);
    json_close(&packer->json);
}

void pack_mesh(struct packer *packer, const struct mesh *mesh)
{
    const size_t count = mesh->vertex_count;
    struct json_writer *json = &packer->json;
    json_open_object(json, NULL, JSON_LINES);
    json_add_string(json, "label", mesh->label);
    json_add_int(json, "material", mesh->material);
    pack_floats(packer, "positions", mesh->positions[0], 3 * count, 3, OF_RANGE);
    pack_floats(packer, "normals", mesh->normals[0], 3 * count, 3, OF_UNIT8);
    if (mesh->uvs)
        pack_floats(packer, "uvs", mesh->uvs[0], 2 * count, 2, OF_RANGE);
    if (mesh->more_uvs)
        pack_floats(packer, "more_uvs", mesh->more_uvs[0], 2 * count, 2, OF_RANGE);
    if (mesh->tangents)
        pack_floats(packer, "tangents", mesh->tangents[0], 4 * count, 4, OF_UNIT8);
    if (mesh->colors)
        pack_floats(packer, "colors", mesh->colors[0], 4 * count, 4, OF_RANGE);
    pack_indices(packer, "indices", mesh->indices, 3 * (size_t)mesh->triangle_count);
    if (mesh->bone_count)
        pack_skin(packer, mesh);
    json_open_array(json, "targets", JSON_LINES);
    for (uint32_t t = 0; t < mesh->target_count; t++) {
        const struct morph_target *target = &mesh->targets[t];
        json_open_object(json, NULL, JSON_INLINE);
        json_add_string(json, "name", target->name);
        pack_floats(packer, "positions", target->position_deltas[0], 3 * count, 3, OF_RANGE);
        if (target->normal_deltas)
            pack_floats(packer, "normals", target->normal_deltas[0], 3 * count, 3, OF_RANGE);
        json_close(json);
    }
    json_close(json);
    json_close(json);
}
