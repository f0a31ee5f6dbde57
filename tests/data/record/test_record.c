/* The file forms of a pose, letter by letter: they are what people keep in repositories. */

#include "data/tiny_scene.h"
#include "run_binary.h"

typedef void (*writer)(const struct pose_record *record, struct text *out);

/* Compares what the writer makes of the tiny scene with the expected text. */
static void writes(writer write, const char *clip, const char *expected)
{
    SCENE *scene = tiny_scene();
    struct tiny_pose *tiny = tiny_pose(scene, clip);
    assert_writes(write(&tiny->record, out), expected);
}

#define IDENTITY "1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0"
#define REST "\"t\": [0, 0, 0], \"r\": [0, 0, 0, 1]"
#define SKIN                                                                                                           \
    "\"vertices\": 3, \"min\": [0, 0, -2], \"max\": [1, 0.1, 0], \"centroid\": [0.33333334, 0.033336665, -0.6666667]}"

TEST(json_is_a_line_per_thing)
{
    writes(pose_write_json, "rig|walk",
           "{\n"
           " \"format\": \"rigproof.pose/1\",\n"
           " \"model\": \"tiny.glb\",\n"
           " \"clip\": \"rig|walk\",\n"
           " \"time\": 0.1,\n"
           " \"space\": \"scene\",\n"
           " \"matrices\": \"row-major 3x4, p' = M p\",\n"
           " \"nodes\": [\n"
           "  {\"name\": \"rig\", \"parent\": null, " REST ", \"s\": [1, 1, 1], \"global\": [" IDENTITY "]},\n"
           "  {\"name\": \"hip, left\", \"parent\": \"rig\", \"t\": [0, 1, 0], \"r\": [0, 0, 0, 1], \"s\": [1, 1, 1], "
           "\"global\": [1, 0, 0, 0, 0, 1, 0, 1, 0, 0, 1, 0]},\n"
           "  {\"name\": \"tip \\\"x\\\"\", \"parent\": \"hip, left\", \"t\": [0, 2, 0], \"r\": [0, 0, 1, 0], \"s\": "
           "[1, 1, 1], "
           "\"global\": [-1, 0, 0, 0, 0, -1, 0, 3, 0, 0, 1, 0]},\n"
           "  {\"name\": \"prop\", \"parent\": \"rig\", " REST ", \"s\": [2, 2, 2], "
           "\"global\": [2, 0, 0, 0, 0, 2, 0, 0, 0, 0, 2, 0]}\n"
           " ],\n"
           " \"palette\": [\n"
           "  {\"mesh\": \"body part\", \"bone\": \"hip, left\", \"matrix\": [" IDENTITY "]},\n"
           "  {\"mesh\": \"body part\", \"bone\": \"tip \\\"x\\\"\", \"matrix\": [-1, 0, 0, 0, 0, -1, 0, 6, 0, 0, 1, "
           "0]},\n"
           "  {\"mesh\": \"prop\", \"bone\": \"prop\", \"matrix\": [2, 0, 0, 0, 0, 2, 0, 0, 0, 0, 2, 0]}\n"
           " ],\n"
           " \"skin\": [\n"
           "  {\"mesh\": \"body part\", " SKIN ",\n"
           "  {\"mesh\": \"prop\", " SKIN "\n"
           " ]\n"
           "}\n");
}

TEST(csv_is_a_row_per_matrix)
{
    SCOPED(text) header = {0};
    pose_write_csv_header(NULL, &header);
    assert_string_equal(text_string(&header), "model,clip,time,stage,mesh,bone,parent,tx,ty,tz,qx,qy,qz,qw,sx,sy,sz,"
                                              "m00,m01,m02,m03,m10,m11,m12,m13,m20,m21,m22,m23\n");
    writes(pose_write_csv, NULL,
           "tiny.glb,,0.1,local,,rig,,0,0,0,0,0,0,1,1,1,1,1,0,0,0,0,1,0,0,0,0,1,0\n"
           "tiny.glb,,0.1,global,,rig,,0,0,0,0,0,0,1,1,1,1,1,0,0,0,0,1,0,0,0,0,1,0\n"
           "tiny.glb,,0.1,local,,\"hip, left\",rig,0,1,0,0,0,0,1,1,1,1,1,0,0,0,0,1,0,1,0,0,1,0\n"
           "tiny.glb,,0.1,global,,\"hip, left\",rig,0,1,0,0,0,0,1,1,1,1,1,0,0,0,0,1,0,1,0,0,1,0\n"
           "tiny.glb,,0.1,local,,\"tip \"\"x\"\"\",\"hip, left\",0,2,0,0,0,1,0,1,1,1,-1,0,0,0,0,-1,0,2,0,0,1,0\n"
           "tiny.glb,,0.1,global,,\"tip \"\"x\"\"\",\"hip, left\",0,3,0,0,0,1,0,1,1,1,-1,0,0,0,0,-1,0,3,0,0,1,0\n"
           "tiny.glb,,0.1,local,,prop,rig,0,0,0,0,0,0,1,2,2,2,2,0,0,0,0,2,0,0,0,0,2,0\n"
           "tiny.glb,,0.1,global,,prop,rig,0,0,0,0,0,0,1,2,2,2,2,0,0,0,0,2,0,0,0,0,2,0\n"
           "tiny.glb,,0.1,palette,body part,\"hip, left\",rig,0,0,0,0,0,0,1,1,1,1,1,0,0,0,0,1,0,0,0,0,1,0\n"
           "tiny.glb,,0.1,palette,body part,\"tip \"\"x\"\"\",\"hip, "
           "left\",0,6,0,0,0,1,0,1,1,1,-1,0,0,0,0,-1,0,6,0,0,1,0\n"
           "tiny.glb,,0.1,palette,prop,prop,rig,0,0,0,0,0,0,1,2,2,2,2,0,0,0,0,2,0,0,0,0,2,0\n");
}

TEST(obj_is_an_object_per_mesh)
{
    writes(pose_write_obj, NULL,
           "# tiny.glb, clip rest, time 0.1 s, posed on the CPU\n"
           "o body_part\n"
           "v 0 0 0\nv 1 0.1 0\nv 0 1e-05 -2\n"
           "vt 0 1\nvt 1 1\nvt 0.5 0.75\n"
           "vn 0 1 0\nvn 0 1 0\nvn 0 1 0\n"
           "f 1/1/1 2/2/2 3/3/3\n"
           "o prop\n"
           "v 0 0 0\nv 1 0.1 0\nv 0 1e-05 -2\n"
           "vn 0 1 0\nvn 0 1 0\nvn 0 1 0\n"
           "f 4//4 5//5 6//6\n");
}

#define NO_MOVE "     0.00000     0.00000     0.00000      0.000    0.000    0.000  "

TEST(text_is_a_table)
{
    writes(
        pose_write_text, "rig|walk",
        "tiny.glb  clip rig|walk  time 0.1 s\n"
        "\n"
        "local pose, to the parent (translation; Euler degrees, R = Rz Ry Rx; scale)\n"
        "  rig      " NO_MOVE "   1.0000   1.0000   1.0000\n"
        "  hip, left     0.00000     1.00000     0.00000      0.000    0.000    0.000     1.0000   1.0000   1.0000\n"
        "  tip \"x\"       0.00000     2.00000     0.00000      0.000    0.000  180.000     1.0000   1.0000   1.0000\n"
        "  prop     " NO_MOVE "   2.0000   2.0000   2.0000\n"
        "\n"
        "palette, mesh space to scene space (translation; Euler degrees; scale; then the 3x4, p' = M p)\n"
        "  body part / hip, left\n"
        "   " NO_MOVE "   1.0000   1.0000   1.0000\n"
        "    [     1.000000     0.000000     0.000000     0.000000 ]\n"
        "    [     0.000000     1.000000     0.000000     0.000000 ]\n"
        "    [     0.000000     0.000000     1.000000     0.000000 ]\n"
        "  body part / tip \"x\"\n"
        "        0.00000     6.00000     0.00000      0.000    0.000  180.000     1.0000   1.0000   1.0000\n"
        "    [    -1.000000     0.000000     0.000000     0.000000 ]\n"
        "    [     0.000000    -1.000000     0.000000     6.000000 ]\n"
        "    [     0.000000     0.000000     1.000000     0.000000 ]\n"
        "  prop / prop\n"
        "   " NO_MOVE "   2.0000   2.0000   2.0000\n"
        "    [     2.000000     0.000000     0.000000     0.000000 ]\n"
        "    [     0.000000     2.000000     0.000000     0.000000 ]\n"
        "    [     0.000000     0.000000     2.000000     0.000000 ]\n");
}

TEST(awkward_entries_are_written_or_found)
{
    SCENE *scene = tiny_scene();
    struct tiny_pose *tiny = tiny_pose(scene, NULL);
    SCOPED(text) text = {0};
    tiny->palette.mesh_to_scene[1][1][0] = 0.5f;
    pose_write_text(&tiny->record, &text);
    const char *mark = strstr(text_string(&text), "(sheared");
    assert_non_null(mark);
    assert_null(strstr(mark + 1, "(sheared"));
    char buffer[256];
    assert_null(pose_find_not_finite(&tiny->record, buffer));
    tiny->palette.mesh_to_scene[1][3][2] = INFINITY;
    assert_string_equal(pose_find_not_finite(&tiny->record, buffer),
                        "palette entry of bone `tip \"x\"`, mesh `body part`");
    tiny->pose.node_to_scene[3][0][0] = NAN;
    assert_string_equal(pose_find_not_finite(&tiny->record, buffer), "transform of node `prop`");
    tiny->pose.node_to_scene[3][0][0] = 1;
    tiny->pose.local_to_parent[0][2][1] = -INFINITY;
    assert_string_equal(pose_find_not_finite(&tiny->record, buffer), "transform of node `rig`");
}

TEST(mesh_without_vertices_is_written)
{
    SCENE *scene = tiny_scene();
    struct tiny_pose *tiny = tiny_pose(scene, NULL);
    SCOPED(text) text = {0};
    tiny->skinned[1].vertex_count = 0;
    pose_write_json(&tiny->record, &text);
    assert_contains(text_string(&text), "{\"mesh\": \"prop\", \"vertices\": 0, \"min\": [0, 0, 0], \"max\": [0, 0, 0], "
                                        "\"centroid\": [0, 0, 0]}");
    require_json(text.data, text.size);
}
